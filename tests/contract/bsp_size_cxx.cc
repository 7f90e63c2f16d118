/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_size_cxx.cc: bsp_textbook_size.c as C++, with bsp.h in extern "C", where programs put what
   they take for a header of C alone. */
extern "C" {
#include "bsp.h"
}
#include "bsp_textbook_size.c"
