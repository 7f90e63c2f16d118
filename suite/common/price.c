/* SPDX-License-Identifier: BSD-3-Clause */
/* price.c: reads a price. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "memory.h"
#include "price.h"
#include "result/read.h"

/* One word without digits, quotes and control characters; any letters of UTF-8. */
static bool is_currency(const char *word)
{
    size_t length = strlen(word);
    if (length == 0 || length > SUITE_CURRENCY) return false;
    for (const char *c = word; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f || strchr("0123456789.,+-\"'<>&", *c))
            return false;
    return true;
}

bool suite_price_read(const char *text, suite_price *price)
{
    text += strspn(text, " ");
    size_t digits = strcspn(text, " ");
    char *number = suite_text("%.*s", (int)digits, text);
    const char *currency = text + digits + strspn(text + digits, " ");
    double amount;
    bool is_price = cm_record_number(number, &amount) && amount > 0 && is_currency(currency);
    free(number);
    if (!is_price) return false;
    price->amount = amount;
    strcpy(price->currency, currency);
    return true;
}
