/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp.c: a user's BSP program on the installed library, in C and in C++: a message to itself, whose
   sizes are size_t and int, and a sum over all processes. */
#include <bsp.h>
#include <bsp_level1.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    size_t tag_bytes = sizeof(double), messages, payload_bytes;
    int count, bytes;
    double tag = 0.5, got = 0;
    if (bsp_sumI(1) != bsp_nprocs()) bsp_abort("not one of each process");
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    bsp_send(bsp_pid(), &tag, "abc", 3);
    bsp_sync();
    bsp_qsize(&messages, &payload_bytes);
    bsp_qsize(&count, NULL);
    if (messages != 1 || payload_bytes != 3 || count != 1) bsp_abort("not one message");
    bsp_get_tag(&payload_bytes, &got);
    bsp_get_tag(&bytes, &got);
    if (payload_bytes != 3 || bytes != 3 || got != tag) bsp_abort("not the message sent");
    bsp_end();
    return 0;
}
