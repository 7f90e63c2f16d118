#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
exec sh "${srcdir-.}/contract/rails.sh" long
