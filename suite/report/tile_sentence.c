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
#include "pages.h"

static char *count_words(double n)
{
    static const char *const words[] = {"No",    "One",   "Two",  "Three", "Four",   "Five",  "Six",
                                        "Seven", "Eight", "Nine", "Ten",   "Eleven", "Twelve"};
    if (n <= 12) return suite_copy(words[(int)n]);
    if (n >= 1000) return suite_text("%d,%03d", (int)n / 1000, (int)n % 1000);
    return suite_text("%.0f", n);
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

static char *cores_words(const cm_record *record, double hosts)
{
    double cores = suite_meta_number(record, "cores", NAN);
    double computers = suite_meta_number(record, "computers", hosts);
    if (!isfinite(cores) || cores_differ(record)) return NULL;
    return said_first_cores(computers < hosts ? (size_t)computers : 0, (size_t)hosts, (size_t)cores,
                            cm_record_meta(record, "cpu"));
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

static char *network_words(const cm_record *record)
{
    const char *comm = cm_record_meta(record, "comm");
    const char *transport = cm_record_meta(record, "transport");
    char *link = NULL;
    if (!comm) return NULL;
    if (suite_meta_number(record, "hosts", 1) > 1) suite_link_Mbit_per_s(record, &link, NULL);
    char *mpi = strcmp(comm, "mpi") == 0 ? mpi_words(record) : NULL;
    bool native = !mpi && transport;
    char *words = said_first_network(mpi, native && strcmp(transport, "shm") != 0,
                                     native && strcmp(transport, "tcp") != 0, link);
    free(link);
    free(mpi);
    return words;
}

static char *where_words(const suite_measured *measured, const cm_record *record)
{
    double hosts = suite_meta_number(record, "hosts", 1);
    const cm_record *pair = suite_measured_record(measured, "netpipe");
    const bool simulated = suite_is_simulated(measured);
    const char *place = measured->place->name;
    char *count = count_words(hosts), *cores = cores_words(record, hosts);
    char *network = network_words(pair ? pair : record);
    char *words =
        said_first_where(count, hosts == 1, simulated, place && !simulated, place, cores, network);
    free(count);
    free(cores);
    free(network);
    return words;
}

/* ---- How ------------------------------------------------------------------------------------- */

static char *share_words(const suite_tile *tile)
{
    return said_first_share(tile->kind->subject, 100 * tile->value / tile->bound,
                            tile->bound_given ? SAID_BOUND_GIVEN : tile->kind->peak);
}

static char *link_words(const suite_tile *tile, double hosts)
{
    char unit[SUITE_UNIT];
    if (hosts == 1) return suite_copy(SAID_FIRST_ONE_HOST);
    if (!tile->record || suite_meta_number(tile->record, "hosts", 1) < 2)
        return suite_copy(SAID_FIRST_NETWORK_MISSING);
    if (isfinite(tile->bound)) return share_words(tile);
    double divisor = suite_unit_easy(tile->value, tile->kind->unit, NULL, unit);
    char *number = suite_three_digits(tile->value / divisor);
    char *words = said_first_link_unknown(number, unit);
    free(number);
    return words;
}

/* One of the statements that stand between semicolons; it is freed. */
static void add(FILE *out, char *words)
{
    fprintf(out, "%s%s", ftell(out) > 0 ? "; " : "", words);
    free(words);
}

/* The network is named even if it was not measured, and first. */
static void print_shares(FILE *out, const suite_tile *tile, double hosts)
{
    for (size_t k = 0; k < suite_tile_n_kinds; k++)
        if (tile[k].kind->subject && tile[k].kind->network) add(out, link_words(&tile[k], hosts));
    for (size_t k = 0; k < suite_tile_n_kinds; k++) {
        const suite_tile_kind *kind = tile[k].kind;
        if (kind->subject && !kind->network && tile[k].record && isfinite(tile[k].bound))
            add(out, share_words(&tile[k]));
    }
}

/* "host n17's memory is 30 % slower than the others'", "5.1 % of n3's TCP segments are sent again":
   a latency has more than others, a rate less. */
static char *odd_words(const suite_odd *odd)
{
    const bool times = isfinite(odd->ratio) && odd->kind->less_is_better;
    if (!odd->what)
        return said_first_lost(odd->who, 100 * odd->lost, odd->launches, odd->of_launches);
    return said_first_odd(odd->who, odd->what, times ? odd->ratio : NAN,
                          100 * (odd->burn_in ? odd->ratio : fabs(1 - odd->ratio)), odd->ratio < 1,
                          strcmp(odd->what, SAID_ODD_LINK) == 0, odd->burn_in, odd->launches,
                          odd->of_launches);
}

static void print_odds(FILE *out, const suite_measured *measured)
{
    enum { TOLD = 2 };
    suite_odds odds = suite_odds_find(measured);
    for (size_t k = 0; k < odds.n && k < TOLD; k++) add(out, odd_words(&odds.odd[k]));
    if (odds.n > TOLD) add(out, said_first_more_odd(odds.n - TOLD));
    if (odds.n == 0 && odds.compared) add(out, suite_copy(SAID_FIRST_NONE_ODD));
    suite_odds_free(&odds);
}

static char *how_words(const suite_measured *measured, const suite_tile *tile, double hosts)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = suite_there(open_memstream(&text, &bytes));
    print_shares(out, tile, hosts);
    print_odds(out, measured);
    if (fclose(out) != 0) suite_there(NULL);
    return text;
}

/* Wrong results come first, because the measurements may be worthless. */
static char *wrong_words(const suite_measured *measured, size_t *more)
{
    enum { TOLD = 3 };
    size_t n = 0;
    char *words = suite_copy("");
    for (size_t r = 0; r < measured->table->n; r++) {
        if (measured->entry[r].state != SUITE_COMPLETE
            || !cm_record_wrong(&measured->entry[r].record) || n++ >= TOLD)
            continue;
        char *longer =
            suite_text("%s%s%s", words, n == 1 ? "" : ", ", measured->table->run[r].name);
        free(words);
        words = longer;
    }
    *more = n > TOLD ? n - TOLD : 0;
    return words;
}

char *suite_first_sentence(const suite_measured *measured, const suite_tile *tile)
{
    const cm_record *record = widest(measured);
    if (!record) return suite_copy(SAID_FIRST_NOTHING);
    size_t more;
    char *wrong = wrong_words(measured, &more), *busy = suite_busy_words(measured);
    char *where = where_words(measured, record);
    char *how = how_words(measured, tile, suite_meta_number(record, "hosts", 1));
    char *sentence = said_first_sentence(wrong, more, busy, suite_is_dummy(measured), where,
                                         suite_is_simulated(measured), how);
    free(wrong);
    free(busy);
    free(where);
    free(how);
    return sentence;
}
