;; SPDX-License-Identifier: BSD-3-Clause
;; clustermark for Guix, from this copy of the sources, over MPICH:
;;
;;   guix build -f contrib/guix/guix.scm       build, test and install
;;   guix shell -D -f contrib/guix/guix.scm    a shell with all that the build needs
;;
;; Written after Guix's manual and not run with Guix.
(use-modules (gnu packages)
             (guix build-system gnu)
             (guix gexp)
             (guix git-download)
             ((guix licenses) #:prefix license:)
             (guix packages)
             (guix utils))

(define %top (dirname (dirname (current-source-directory))))

(package
  (name "clustermark")
  (version "1.0.0")
  (source (local-file %top "clustermark-checkout"
                      #:recursive? #t
                      #:select? (or (git-predicate %top) (const #t))))
  (build-system gnu-build-system)
  (arguments
   (list #:configure-flags #~(list "--with-comm=mpi" "--disable-native")
         ;; make check takes minutes.
         #:test-target "smallcheck"))
  (native-inputs
   (map specification->package
        '("autoconf" "automake" "gfortran-toolchain" "libtool" "pkg-config" "procps" "texinfo")))
  (inputs
   (cons (list (specification->package "hwloc") "lib")
         (map specification->package
              '("gnuplot" "google-highway" "iproute2" "jansson" "mpich" "openblas" "openssl"))))
  (home-page "https://github.com/clustermark/clustermark")
  (synopsis "Benchmarks of a cluster's network, memory, processors and programs")
  (description
   "clustermark measures the latency and the throughput of messages between the nodes of a cluster,
the speed of memory and processors, and the speed of parallel programs.  It verifies every answer,
keeps every sample, and makes a report with figures.")
  (license license:bsd-3))
