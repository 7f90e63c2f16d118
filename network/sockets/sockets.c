/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets.c: cm-sockets: how fast the kernel's TCP and UDP are by themselves. */
#include "sockets.h"

int main(int argc, char **argv)
{
    sockets_options options = {
        .test = SOCKETS_TEST_ALL,
        .nodelay = SOCKETS_NOT_GIVEN,
        .quickack = SOCKETS_NOT_GIVEN,
        .pause_s = -1,
        .family = 2,
        .timeout_s = 10,
        .sweeps = 1,
        .sampling = {.rule = {.relative_half_width = 0.02, .time_limit_s = 6},
                     .trial_s = -1,
                     .warm_up_s = 0.2},
    };
    const cm_option table[] = {
        CM_HEADING("What is measured"),
        CM_CHOICE("test", 't', "TEST", &options.test, sockets_tests,
                  "streams: bytes in one direction; turns: a request and its answer; delayed-ack: "
                  "several writes and a read (write-read), and small messages in one direction "
                  "(one-way), with and without Nagle's algorithm and delayed acknowledgements"),
        CM_TEXT("size", 's', "LIST", &options.sizes_text,
                "bytes of a message, a datagram or a write: 64,1Ki,8192, or 64:64Ki for doublings "
                "(default: each test has its own sizes)"),
        CM_CHOICE("nodelay", 0, "WHEN", &options.nodelay, sockets_switches,
                  "TCP_NODELAY (default: off for streams, on for turns, both for delayed-ack)"),
        CM_CHOICE(
            "quickack", 0, "WHEN", &options.quickack, sockets_switches,
            "TCP_QUICKACK, set again after every receive (default: off, the kernel decides; both "
            "for delayed-ack)"),
        CM_INTEGER("writes", 0, "K", &options.writes, 1, SOCKETS_MOST_WRITES,
                   "delayed-ack: writes before each read; default 2"),
        CM_FLAG("gather", 0, &options.gather, "delayed-ack: one writev instead of K writes"),
        CM_REAL("pause", 0, "SECONDS", &options.pause_s, 0, 10,
                "delayed-ack: time from message to message in one direction; default 0.001"),
        CM_REAL(
            "rate", 0, "MBIT/S", &options.rate_Mbit_per_s, 1e-3, 1e7,
            "udp-stream: rate to send at, 10^6 bit/s of contents (default: as fast as possible); "
            "a comment says if it was not kept"),
        CM_FLAG("integrity", 'i', &options.integrity,
                "compare every byte of a stream, inside the timing; otherwise those of the warm-up "
                "and the ends of each receive"),
        CM_HEADING("Sockets"),
        CM_TEXT("interface", 0, "NAME", &options.interface,
                "network interface, by name or address (default: CM_INTERFACE, else loopback if "
                "both ranks are on one host, else the fastest that is up)"),
        CM_CHOICE("family", 0, "FAMILY", &options.family, sockets_families, "IPv4 or IPv6"),
        CM_INTEGER("port", 0, "PORT", &options.port, 0, 65535,
                   "port on which rank 1 listens, with TCP and UDP; 0: any"),
        CM_BYTES("buffer", 0, "BYTES", &options.buffer_bytes, 0, 1 << 30,
                 "SO_SNDBUF and SO_RCVBUF; 0: the kernel chooses"),
        CM_CHOICE("wait", 0, "HOW", &options.wait, sockets_waits,
                  "receive by sleeping in the kernel or by polling"),
        CM_REAL("timeout", 0, "SECONDS", &options.timeout_s, 0.1, 1e4,
                "give up if the other end is silent for this long"),
        CM_HEADING("Sampling"),
        CM_SAMPLE_BIND(&options.sampling),
        CM_SAMPLE_TRIAL_SECONDS_AS(&options.sampling, "seconds",
                                   "length of a sample of a stream; default 1"),
        CM_SAMPLE_TRIALS_ALSO(&options.sampling, "trials",
                              ", of turns and delayed-ack; default 10000"),
        CM_SAMPLE_HALF_WIDTH(&options.sampling),
        CM_SAMPLE_TIME_LIMIT(&options.sampling),
        CM_SAMPLE_WARM_UP(&options.sampling),
        CM_SAMPLE_SWEEPS(&options.sweeps),
        CM_RESULT_OPTIONS(&options.files),
        CM_RENAMED("turns", "trials"),
        {0},
    };
    const cm_program program = {
        .name = "cm-sockets",
        .purpose = "TCP and UDP by themselves: streams, turns, delayed acknowledgements",
        .description =
            "Opens sockets between two ranks and measures them, as ttcp and netperf do. Everything "
            "that is built on sockets can only be slower. The communication layer starts the ranks "
            "and carries control messages, but nothing that is measured. All data that arrive are "
            "checked; lost, reordered and repeated datagrams are counted.",
        .examples = "cmrun -n 2 cm-sockets -o result.txt\tall tests on this host\n"
                    "cmrun --hosts a,b cm-sockets -t udp-stream --rate 500\t"
                    "between two hosts, over ssh\n"
                    "mpiexec -n 2 cm-sockets -t delayed-ack --writes 3\tthree writes and a read\n",
        .options = table,
        .metrics = sockets_metrics,
        .labels = sockets_labels,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = sockets_check,
        .least = SOCKETS_RANKS,
        .most = SOCKETS_RANKS,
        .run = sockets_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
