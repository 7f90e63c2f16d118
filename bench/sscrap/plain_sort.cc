// SPDX-License-Identifier: BSD-3-Clause
// plain_sort.cc: std::sort of N uniform doubles. Prints nanoseconds per key, the median of R runs.
// Usage: plain_sort N R
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    std::vector<double> keys(std::strtoul(argv[1], nullptr, 10)), times;
    std::mt19937_64 bits(1);
    for (int run = std::atoi(argv[2]); run > 0; run--) {
        for (double &key : keys) key = static_cast<double>(bits() >> 11) * 0x1p-53;
        auto begin = std::chrono::steady_clock::now();
        std::sort(keys.begin(), keys.end());
        std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        times.push_back(1e9 * time.count() / static_cast<double>(keys.size()));
    }
    std::sort(times.begin(), times.end());
    std::printf("%.3f\n", times[times.size() / 2]);
    return 0;
}
