/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c: rates and delays as tc writes them. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "virtual.h"

typedef struct {
    const char *name;
    double factor;
} unit;

/* A number and its unit; false if it is not that, or not from low to high. */
static bool parse(const char *text, const unit *units, double low, double high, double *value)
{
    char *end;
    if (*text < '0' || *text > '9') return false;
    const double number = strtod(text, &end);
    while (units->name && strcmp(units->name, end) != 0) units++;
    if (!units->name) return false;
    *value = number * units->factor;
    return isfinite(*value) && *value >= low && *value <= high;
}

int virtual_settings_read(const cm_program *program, virtual_settings *settings)
{
    static const unit rates[] = {{"bit", 1}, {"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}, {0, 0}};
    static const unit times[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {0, 0}};
    if (settings->rate && !parse(settings->rate, rates, 1e3, 1e11, &settings->rate_bit_per_s))
        return cm_option_error(
            program, "--rate %s: expected 1kbit to 100gbit, with the unit bit, kbit, mbit or gbit",
            settings->rate);
    if (settings->delay && !parse(settings->delay, times, 0, 10, &settings->delay_s))
        return cm_option_error(
            program, "--delay %s: expected 0us to 10s, with the unit us, ms or s", settings->delay);
    if (settings->ipv6 && settings->mtu_bytes && settings->mtu_bytes < VIRTUAL_MTU_LEAST_IPV6)
        return cm_option_error(program, "--mtu %d with --ipv6: expected %d or more, as IPv6 needs",
                               (int)settings->mtu_bytes, VIRTUAL_MTU_LEAST_IPV6);
    return 0;
}

void virtual_settings_text(const virtual_settings *settings, char text[VIRTUAL_TEXT])
{
    snprintf(text, VIRTUAL_TEXT, "rate=%.32s,delay=%.32s,mtu=%d",
             settings->rate ? settings->rate : "unlimited",
             settings->delay ? settings->delay : "none",
             settings->mtu_bytes ? (int)settings->mtu_bytes : 1500);
}
