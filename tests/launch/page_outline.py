# SPDX-License-Identifier: BSD-3-Clause
"""Prints what a report has besides its numbers: headings, and each table's columns and rows."""
import re, sys
from html.parser import HTMLParser

class Outline(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tag = None
        self.row = None
    def handle_starttag(self, tag, attributes):
        if tag == 'tr':
            self.row = []
        if tag in ('h1', 'h2', 'h3', 'h4', 'th', 'td', 'caption', 'summary'):
            self.tag, self.text = tag, ''
    def handle_data(self, data):
        if self.tag:
            self.text += data
    def handle_endtag(self, tag):
        if tag == self.tag:
            text = re.sub(r'[-+]?[0-9][0-9.,]*(e[-+]?[0-9]+)?', 'N', ' '.join(self.text.split()))
            text = re.sub(r'\bN holds\b', 'N hold', text)
            if tag in ('th', 'td'):
                if self.row is not None: self.row.append(text)
            else:
                print(tag, text)
            self.tag = None
        if tag == 'tr' and self.row is not None:
            print('row', len(self.row), self.row[0] if self.row else '')
            self.row = None

Outline().feed(open(sys.argv[1]).read())
