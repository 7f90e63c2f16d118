/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_sentence.c: what was measured and how it is, in one sentence behind warnings if answers
   were wrong or the machine was busy: "Two hosts, 2 x 2 cores, TCP
   over 10 Gbit/s Ethernet: network at 61 % of its link's speed; host n17's memory is 30 % slower
   than the others'." */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"
#include "common/unit.h"

static void print_count(FILE *out, double n, const char *one, const char *many)
{
    static const char *const words[] = {"No",    "One",   "Two",  "Three", "Four",   "Five",  "Six",
                                        "Seven", "Eight", "Nine", "Ten",   "Eleven", "Twelve"};
    if (n <= 12) fputs(words[(int)n], out);
    else if (n >= 1000) fprintf(out, "%d,%03d", (int)n / 1000, (int)n % 1000);
    else fprintf(out, "%.0f", n);
    fprintf(out, " %s", n == 1 ? one : many);
}

/* The result with most hosts; NULL: there is none. */
static const cm_record *widest(const suite_measured *measured)
{
    const cm_record *found = NULL;
    for (size_t r = 0; r < measured->table->n; r++) {
        const suite_entry *entry = &measured->entry[r];
        if (entry->state == SUITE_COMPLETE
            && (!found
                || suite_meta_number(&entry->record, "hosts", 1)
                       > suite_meta_number(found, "hosts", 1)))
            found = &entry->record;
    }
    return found;
}

/* ---- Where ----------------------------------------------------------------------------------- */

static bool cores_differ(const cm_record *record)
{
    for (size_t k = 0; k < record->n_meta; k++)
        if (strcmp(record->meta[k].key, "hosts_differ") == 0
            && strncmp(record->meta[k].value, "cores:", 6) == 0)
            return true;
    return false;
}

static void print_cores(FILE *out, const cm_record *record, double hosts)
{
    double cores = suite_meta_number(record, "cores", NAN);
    double computers = suite_meta_number(record, "computers", hosts);
    const char *cpu = cm_record_meta(record, "cpu");
    if (!isfinite(cores) || cores_differ(record)) return;
    if (computers < hosts)
        fprintf(out, " on %.0f computer%s of %.0f cores", computers, computers == 1 ? "" : "s",
                cores);
    else if (hosts == 1) fprintf(out, ", %.0f core%s", cores, cores == 1 ? "" : "s");
    else fprintf(out, ", %.0f x %.0f cores", hosts, cores);
    if (cpu) fprintf(out, " (%s)", cpu);
}

/* "MPICH Version: 4.0.2" is MPICH 4.0.2, "Open MPI v4.1.4, package: ..." Open MPI v4.1.4. */
static char *mpi_words(const cm_record *record)
{
    const char *version = cm_record_meta(record, "comm_version");
    if (!version) return suite_copy("MPI");
    size_t length = strcspn(version, ",\n");
    const char *word = strstr(version, " Version:");
    if (!word || word > version + length) return suite_text("%.*s", (int)length, version);
    size_t behind = strlen(" Version:");
    return suite_text("%.*s%.*s", (int)(word - version), version,
                      (int)(length - (size_t)(word - version) - behind), word + behind);
}

static void print_comm(FILE *out, const cm_record *record)
{
    const char *comm = cm_record_meta(record, "comm");
    const char *transport = cm_record_meta(record, "transport");
    char *link = NULL, *mpi = NULL;
    if (!comm) return;
    if (strcmp(comm, "mpi") == 0) fprintf(out, ", %s", mpi = mpi_words(record));
    else if (transport && strcmp(transport, "tcp") == 0) fputs(", TCP", out);
    else if (transport && strcmp(transport, "shm") == 0) fputs(", shared memory", out);
    else if (transport) fputs(", shared memory and TCP", out);
    if (suite_meta_number(record, "hosts", 1) > 1 && isfinite(suite_link_Mbit_per_s(record, &link)))
        fprintf(out, " over %s", link);
    free(link);
    free(mpi);
}

static void print_where(FILE *out, const suite_measured *measured, const cm_record *record)
{
    double hosts = suite_meta_number(record, "hosts", 1);
    const cm_record *pair = suite_measured_record(measured, "netpipe");
    if (suite_is_dummy(measured)) {
        fputs("The dummy backend", out);
        return;
    }
    if (suite_is_simulated(measured)) {
        print_count(out, hosts, "simulated host", "simulated hosts");
        fprintf(out, " of the place %s", measured->place->name);
        return;
    }
    if (measured->place->name) print_count(out, hosts, "virtual host", "virtual hosts");
    else print_count(out, hosts, "host", "hosts");
    print_cores(out, record, hosts);
    print_comm(out, pair ? pair : record);
}

/* ---- How ------------------------------------------------------------------------------------- */

static void print_share(FILE *out, const suite_tile *tile)
{
    fprintf(out, "%s at %.0f %% of %s", tile->kind->subject, 100 * tile->value / tile->bound,
            tile->kind->peak);
}

static void print_network(FILE *out, const suite_tile *tile, double hosts)
{
    if (hosts == 1) fputs("no network was measured", out);
    else if (!tile->record || suite_meta_number(tile->record, "hosts", 1) < 2)
        fputs("the network was not measured", out);
    else if (!isfinite(tile->bound)) {
        char unit[SUITE_UNIT];
        double divisor = suite_unit_easy(tile->value, tile->kind->unit, NULL, unit);
        char *number = suite_three_digits(tile->value / divisor);
        fprintf(out, "%s %s between two hosts; their link's speed is not known", number, unit);
        free(number);
    } else print_share(out, tile);
}

/* The network is named even if it was not measured, and first. */
static void print_shares(FILE *out, const suite_tile *tile, double hosts)
{
    for (size_t k = 0; k < suite_tile_n_kinds; k++)
        if (tile[k].kind->subject && tile[k].kind->network) print_network(out, &tile[k], hosts);
    for (size_t k = 0; k < suite_tile_n_kinds; k++) {
        const suite_tile_kind *kind = tile[k].kind;
        if (!kind->subject || kind->network || !tile[k].record || !isfinite(tile[k].bound))
            continue;
        fputs("; ", out);
        print_share(out, &tile[k]);
    }
}

/* "host n17's memory is 30 % slower than the others'": a latency has more than others, a rate
   less. */
static void print_odd(FILE *out, const suite_odd *odd)
{
    bool pair = strcmp(odd->what, "link") == 0;
    fprintf(out, "; host %s's %s ", odd->who, odd->what);
    if (!isfinite(odd->ratio)) fputs("is not like the others'", out);
    else if (odd->kind->less_is_better) fprintf(out, "is %.3g times the others'", odd->ratio);
    else
        fprintf(out, "is %.0f %% %s than %s", 100 * fabs(1 - odd->ratio),
                odd->ratio < 1 ? "slower" : "faster", pair ? "their others" : "the others'");
    if (odd->of_launches > 0)
        fprintf(out, " (in %zu of %zu launches)", odd->launches, odd->of_launches);
}

static void print_odds(FILE *out, const suite_measured *measured)
{
    enum { TOLD = 2 };
    suite_odds odds = suite_odds_find(measured);
    for (size_t k = 0; k < odds.n && k < TOLD; k++) print_odd(out, &odds.odd[k]);
    if (odds.n > TOLD) fprintf(out, "; cm-nodes names %zu more", odds.n - TOLD);
    if (odds.n == 0 && odds.compared) fputs("; no host stands out", out);
    suite_odds_free(&odds);
}

static void print_how(FILE *out, const suite_measured *measured, const suite_tile *tile,
                      double hosts)
{
    if (suite_is_dummy(measured)) {
        fputs(": its numbers come from a virtual clock and say nothing about this machine", out);
    } else if (suite_is_simulated(measured)) {
        fputs(": all numbers are a model's, none was measured", out);
    } else {
        fputs(": ", out);
        print_shares(out, tile, hosts);
        print_odds(out, measured);
    }
}

/* Wrong results come first, because the measurements may be worthless. */
static void print_wrong(FILE *out, const suite_measured *measured)
{
    enum { TOLD = 3 };
    size_t n = 0;
    for (size_t r = 0; r < measured->table->n; r++)
        if (measured->entry[r].state == SUITE_COMPLETE
            && cm_record_wrong(&measured->entry[r].record) && n++ < TOLD)
            fprintf(out, "%s%s", n == 1 ? "Wrong answers: " : ", ", measured->table->run[r].name);
    if (n > TOLD) fprintf(out, " and %zu more", n - TOLD);
    if (n > 0) fputs(". ", out);
}

char *suite_first_sentence(const suite_measured *measured, const suite_tile *tile)
{
    char *text = NULL;
    size_t bytes;
    const cm_record *record = widest(measured);
    if (!record) return suite_copy("No benchmark ran to its end: nothing was measured.");
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return suite_copy("");
    print_wrong(out, measured);
    char *busy = suite_busy_words(measured);
    if (busy) fprintf(out, "The machine was busy (%s): measure again. ", busy);
    free(busy);
    print_where(out, measured, record);
    print_how(out, measured, tile, suite_meta_number(record, "hosts", 1));
    fputc('.', out);
    fclose(out);
    return text;
}
