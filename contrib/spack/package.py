# SPDX-License-Identifier: BSD-3-Clause
#
# clustermark for Spack 1.0 and later: copy this file to packages/clustermark/package.py of a
# repository of yours. The release's sha256 belongs beside its version; without it, use
# `spack install --no-checksum clustermark`. Written after Spack's packaging guide and not run with
# Spack.

from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Clustermark(AutotoolsPackage):
    """Benchmarks of a cluster's network, memory, processors and programs. Every answer is
    verified and every sample kept; the same programs run over MPI and over plain TCP."""

    homepage = "https://github.com/clustermark/clustermark"
    url = "https://github.com/clustermark/clustermark/releases/download/v1.0.0/clustermark-1.0.0.tar.xz"
    git = "https://github.com/clustermark/clustermark.git"

    license("BSD-3-Clause")

    version("main", branch="main")
    version("1.0.0")

    variant(
        "comm",
        default="mpi",
        values=("mpi", "sockets", "shm", "hybrid"),
        multi=False,
        description="communication backend: an MPI, TCP, shared memory, or both of these",
    )
    variant("blas", default=True, description="build cm-linpack, cm-xhpl and cm-matmul")
    variant("suite", default=True, description="build clustermark, which runs and reports all")
    variant("hwloc", default=True, description="read caches and sockets by hwloc")
    variant("highway", default=False, description="vector sort in cm-sort")
    variant("gnuplot", default=False, description="draw figures in reports")
    variant("shared", default=False, description="also build a shared libclustermark")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("pkgconfig", type="build")
    # A release brings configure and the manual.
    with when("@main"):
        depends_on("autoconf@2.69:", type="build")
        depends_on("automake@1.16:", type="build")
        depends_on("libtool", type="build")
        depends_on("m4", type="build")
        depends_on("texinfo", type="build")

    depends_on("mpi", when="comm=mpi")
    depends_on("blas", when="+blas")
    depends_on("jansson@2.7:", when="+suite")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("openssl@1.1.1:")
    depends_on("highway", when="+highway")
    depends_on("gnuplot", type=("build", "run"), when="+gnuplot")

    conflicts("%fortran=gcc@:9", msg="clustermark needs gfortran 10 or later")

    sanity_check_is_file = [join_path("bin", "cm-netpipe")]

    @when("@main")
    def autoreconf(self, spec, prefix):
        Executable("./bootstrap")()

    def configure_args(self):
        spec = self.spec
        # Spack's compiler wrapper adds the flags of the target.
        args = ["--disable-native", "--with-comm=" + spec.variants["comm"].value]
        args.append("--enable-shared" if spec.satisfies("+shared") else "--disable-shared")
        if spec.satisfies("comm=mpi"):
            args.append("MPICC=" + spec["mpi"].mpicc)
            args.append("MPIEXEC=" + self.launcher())
        if spec.satisfies("+blas"):
            args.append("--with-blas=" + spec["blas"].libs.ld_flags)
        else:
            args.append("--without-blas")
        args.append("--with-jansson" if spec.satisfies("+suite") else "--without-jansson")
        args.append("--with-hwloc" if spec.satisfies("+hwloc") else "--without-hwloc")
        args.append("--with-highway" if spec.satisfies("+highway") else "--without-highway")
        args.append("--with-gnuplot" if spec.satisfies("+gnuplot") else "--without-gnuplot")
        return args

    def launcher(self):
        if self.spec.satisfies("comm=mpi"):
            return join_path(self.spec["mpi"].prefix.bin, "mpiexec")
        return join_path(self.prefix.bin, "cmrun")

    # `spack install --test=root` runs make check and make installcheck, which are
    # AutotoolsPackage's own; `spack test run clustermark` runs these.
    def test_netpipe(self):
        """messages between two ranks, every byte verified"""
        out = Executable(self.launcher())(
            "-n",
            "2",
            join_path(self.prefix.bin, "cm-netpipe"),
            "--upper=65536",
            "--time-limit=0.1",
            output=str.split,
            error=str.split,
        )
        check_outputs(r"# RESULT: PASS latency_us ", out)

    def test_stream(self):
        """memory bandwidth of one core"""
        out = Executable(join_path(self.prefix.bin, "cm-stream"))(
            "--quiet", "--time-limit=0.1", output=str.split, error=str.split
        )
        check_outputs(r"# RESULT: PASS ", out)

    def test_env(self):
        """variables and launcher that clustermark sees"""
        if self.spec.satisfies("~suite"):
            raise SkipTest("built without clustermark, the suite")
        out = Executable(self.prefix.bin.clustermark)("env", output=str.split, error=str.split)
        check_outputs("CM_INTERFACE", out)
