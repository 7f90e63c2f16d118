/* SPDX-License-Identifier: BSD-3-Clause */
/* price.h: what a cluster costs: "4000 EUR". */
#ifndef SUITE_PRICE_H
#define SUITE_PRICE_H

#include <stdbool.h>

enum { SUITE_CURRENCY = 15 }; /* bytes of a currency's name */
typedef struct {
    double amount; /* 0: not known */
    char currency[SUITE_CURRENCY + 1];
} suite_price;

/* Reads an amount above 0 and a word. Returns false, and leaves the price as it was, for any other
   text. */
bool suite_price_read(const char *text, suite_price *price);

#endif
