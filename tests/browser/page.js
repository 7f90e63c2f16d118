// SPDX-License-Identifier: BSD-3-Clause
// page.js: what page.py asks of a page while the browser shows it. Each function returns a list of
// faults, in words.
const MOST = 5;

function told(element) {
    const text = (element.textContent || '').trim().replace(/\s+/g, ' ').slice(0, 40);
    const figure = element.closest('figure');
    const where = figure && figure !== element ? `${figure.id} ` : '';
    const id = element.id ? `#${element.id}` : '';
    return `${where}${element.tagName.toLowerCase()}${id} '${text}'`;
}

function isShown(element) {
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
}

// Content that is too wide may only scroll in a box of its own.
function overflow() {
    const width = document.documentElement.clientWidth;
    const faults = [];
    if (document.documentElement.scrollWidth > width)
        faults.push(`the page is ${document.documentElement.scrollWidth} px wide, not ${width}`);
    for (const element of document.querySelectorAll('body *')) {
        if (faults.length >= MOST) break;
        const box = element.getBoundingClientRect();
        if (box.right <= width + 1 || box.width === 0 || box.height === 0) continue;
        let around = element.parentElement;
        while (around && getComputedStyle(around).overflowX === 'visible')
            around = around.parentElement;
        if (!around || around === document.body || around === document.documentElement)
            faults.push(`${told(element)} ends at ${Math.round(box.right)} px of ${width}`);
    }
    return faults;
}

// A table that is too wide scrolls by itself, says so by a shadow, and keeps its first column.
function cutTables() {
    const faults = [];
    for (const table of document.querySelectorAll('table')) {
        const box = table.parentElement, head = table.querySelector('th');
        if (!isShown(table) || table.getBoundingClientRect().width <= box.clientWidth + 1) continue;
        const style = getComputedStyle(box);
        if (!/auto|scroll/.test(style.overflowX)) faults.push(`${told(table)} does not scroll`);
        if (!style.backgroundImage.includes('gradient')) faults.push(`no hint at ${told(table)}`);
        if (!head) continue;
        if (head.clientWidth < 40) faults.push(`no room for the first column of ${told(table)}`);
        box.scrollLeft = box.scrollWidth;
        if (head.getBoundingClientRect().left < box.getBoundingClientRect().left - 1)
            faults.push(`the first column of ${told(table)} goes away`);
        box.scrollLeft = 0;
    }
    return faults.slice(0, MOST);
}

// A number of a table stands in one line: "300/0", "1.02e-07", "12 GB/s".
function brokenNumbers() {
    const faults = [];
    for (const cell of document.querySelectorAll('td')) {
        const text = cell.textContent.trim();
        if (!/^[-+]?\d[\d./e+-]*( ?[%\w/\u00b5]{1,7})?$/.test(text) || !isShown(cell)) continue;
        const range = document.createRange(), tops = []; // of the text, not of what is drawn
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            range.selectNodeContents(walker.currentNode);
            tops.push(...[...range.getClientRects()].filter((box) => box.width > 0));
        }
        const first = tops[0];
        if (first && tops.some((box) => box.top > first.bottom - 2)) faults.push(told(cell));
    }
    return faults.slice(0, MOST);
}

function drawings() {
    return [...document.querySelectorAll('figure svg')].filter(isShown);
}

// Letters that the edge of a figure cuts.
function lettersOutside() {
    const faults = [];
    for (const drawing of drawings()) {
        const whole = drawing.getBoundingClientRect();
        for (const text of drawing.querySelectorAll('text')) {
            const box = text.getBoundingClientRect();
            if (box.width === 0 || !text.textContent.trim()) continue;
            if (box.left < whole.left - 1 || box.right > whole.right + 1
                || box.top < whole.top - 1 || box.bottom > whole.bottom + 1)
                faults.push(`${told(text)} is cut`);
        }
    }
    return faults.slice(0, MOST);
}

function smallLetters(least) {
    const faults = [];
    for (const drawing of drawings()) {
        const scale = drawing.getScreenCTM().a;
        for (const text of drawing.querySelectorAll('text, tspan')) {
            const size = parseFloat(getComputedStyle(text).fontSize) * scale;
            if (size > 0 && size < least && text.textContent.trim())
                faults.push(`${told(text)} has ${size.toFixed(1)} px`);
        }
    }
    return faults.slice(0, MOST);
}

function headings() {
    const all = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')];
    const faults = [];
    const first = document.querySelectorAll('h1').length;
    if (first !== 1) faults.push(`${first} headings h1`);
    let before = 0;
    for (const heading of all) {
        const level = Number(heading.tagName[1]);
        if (level > before + 1) faults.push(`${told(heading)} follows h${before}`);
        if (!heading.textContent.trim()) faults.push(`an empty h${level}`);
        before = level;
    }
    return faults.slice(0, MOST);
}

function tables() {
    const faults = [];
    for (const table of document.querySelectorAll('table')) {
        const heads = [...table.querySelectorAll('th')];
        if (heads.length === 0) faults.push(`no header in ${told(table)}`);
        for (const head of heads)
            if (!/^(col|row)(group)?$/.test(head.scope)) faults.push(`no scope: ${told(head)}`);
    }
    return faults.slice(0, MOST);
}

function nameOf(drawing) {
    const labels = (drawing.getAttribute('aria-labelledby') || '').split(/\s+/).filter(Boolean);
    const texts = labels.map((id) => document.getElementById(id)).filter(Boolean);
    return [...texts.map((text) => text.textContent), drawing.getAttribute('aria-label') || '',
        drawing.getAttribute('alt') || ''].join(' ').trim();
}

// A text for those who do not see it; one of a word or two says nothing.
function figures() {
    const faults = [];
    for (const figure of document.querySelectorAll('figure')) {
        const drawings = [...figure.querySelectorAll('svg, img')].filter(
            (drawing) => !drawing.parentElement.closest('svg') && !drawing.ariaHidden);
        const named = drawings.filter((drawing) => nameOf(drawing).length >= 15);
        if (named.length === 0) faults.push(`no text for ${told(figure)}`);
        for (const drawing of drawings)
            if (drawing.tagName === 'svg' && drawing.getAttribute('role') !== 'img'
                && drawing.getAttribute('role') !== 'group')
                faults.push(`no role: svg in ${told(figure)}`);
    }
    return faults.slice(0, MOST);
}

function links() {
    const faults = [];
    for (const link of document.querySelectorAll('a[href^="#"]')) {
        const id = decodeURIComponent(link.getAttribute('href').slice(1));
        if (id && !document.getElementById(id)) faults.push(`#${id} leads nowhere`);
    }
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
    const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
    for (const id of new Set(twice)) faults.push(`two elements have the id ${id}`);
    return faults.slice(0, MOST);
}

// ---- contrast: WCAG 2.1, 1.4.3 -----------------------------------------------------------------

const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const colors = new Map();

// Red, green, blue and alpha of any colour that CSS can say.
function rgba(text) {
    if (!colors.has(text)) {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        colors.set(text, [r, g, b, a / 255]);
    }
    return colors.get(text);
}

function over(above, below) {
    const alpha = above[3];
    return [0, 1, 2].map((k) => above[k] * alpha + below[k] * (1 - alpha)).concat(1);
}

function luminance(color) {
    const [r, g, b] = color.map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
}

// The box that gnuplot fills behind the whole drawing, if it is there.
function backOfDrawing(drawing) {
    const whole = drawing.getBoundingClientRect();
    for (const box of drawing.querySelectorAll('rect')) {
        const size = box.getBoundingClientRect();
        if (size.width >= 0.9 * whole.width && size.height >= 0.9 * whole.height) {
            const style = getComputedStyle(box);
            const color = style.fill === 'none' ? [0, 0, 0, 0] : rgba(style.fill);
            return [color[0], color[1], color[2], color[3] * Number(style.fillOpacity)];
        }
    }
    return [0, 0, 0, 0];
}

const backs = new Map();
function behind(element) {
    if (!element) {
        const dark = matchMedia('(prefers-color-scheme: dark)').matches
            && getComputedStyle(document.documentElement).colorScheme.includes('dark');
        return rgba(getComputedStyle(document.documentElement).backgroundColor)[3] > 0
            ? over(rgba(getComputedStyle(document.documentElement).backgroundColor),
                   [255, 255, 255, 1])
            : dark ? rgba('Canvas') : [255, 255, 255, 1];
    }
    if (!backs.has(element)) {
        let color = over(rgba(getComputedStyle(element).backgroundColor),
                         behind(element.parentElement));
        if (element.tagName === 'svg' && !element.parentElement.closest('svg'))
            color = over(backOfDrawing(element), color);
        backs.set(element, color);
    }
    return backs.get(element);
}

function lowContrast() {
    backs.clear();
    colors.clear();
    const worst = new Map();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || /^(script|style|title|desc)$/i.test(element.tagName))
            continue;
        const style = getComputedStyle(element), inDrawing = element.closest('svg');
        const back = behind(inDrawing ? element.closest('svg') : element);
        const front = over(rgba(inDrawing ? style.fill : style.color), back);
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const ratio = contrast(front, back);
        if (ratio >= (large ? 3 : 4.5) || !isShown(element)) continue;
        const kind = `${style.color} ${back} ${element.tagName} ${element.className}`;
        if (!worst.has(kind) || worst.get(kind)[0] > ratio) worst.set(kind, [ratio, element, back]);
    }
    return [...worst.values()].sort((x, y) => x[0] - y[0]).slice(0, MOST)
        .map(([ratio, element, back]) =>
            `${told(element)}: ${ratio.toFixed(2)} on rgb(${back.slice(0, 3).map(Math.round)})`);
}

// Ink is saved: no text on a dark ground.
function darkGrounds() {
    backs.clear();
    colors.clear();
    const faults = [];
    for (const element of document.querySelectorAll('body, body *')) {
        if (faults.length >= MOST) break;
        const color = rgba(getComputedStyle(element).backgroundColor);
        if (color[3] > 0.5 && luminance(color) < 0.4 && isShown(element)
            && element.textContent.trim())
            faults.push(`${told(element)} on rgb(${color.slice(0, 3)})`);
    }
    return faults;
}

const frames = (n) => new Promise((done) => {
    const next = () => (n-- > 0 ? requestAnimationFrame(next) : done());
    next();
});

function isInView(element) {
    const top = element.getBoundingClientRect().top;
    return isShown(element) && top > -2 && top < innerHeight;
}

// What can be folded, and the last row of a table in it, opens when a link leads there. Chromium
// throttles a page that follows more than 200 links in 10 seconds, so of many some are tried.
async function linksThatOpenNothing() {
    const parts = [...document.querySelectorAll('details > [id]')], step = parts.length / 100;
    const tried = parts.filter((part, k) => step <= 1 || k % step < 1);
    const faults = [];
    for (const part of [...tried, ...[...document.querySelectorAll('details tr[id]')].slice(-1)]) {
        for (const other of document.querySelectorAll('details')) other.open = false;
        const changed = new Promise((done) =>
            addEventListener('hashchange', done, { once: true }));
        location.hash = part.id;
        await changed;
        await frames(2);
        if (!isInView(part)) faults.push(`#${part.id} is not shown`);
    }
    return faults.slice(0, MOST);
}

// Above what is folded a benchmark has one figure or table, and at most three numbers.
function benchmarksWithMore() {
    const shown = (section, what) => [...section.querySelectorAll(what)].filter(isShown).length;
    return [...document.querySelectorAll('section.benchmark')].filter((section) =>
        shown(section, 'figure, table') > 1 || shown(section, '.three li') > 3).slice(0, MOST).map(told);
}

// What is folded and has no link of its own.
function foldedWithoutLink() {
    return [...document.querySelectorAll('.rest > details, details.further')]
        .filter((part) => !part.querySelector(':scope > [id]')).slice(0, MOST).map(told);
}

// The contents mark the part that a reader has scrolled to.
async function unmarked() {
    const faults = [];
    for (const link of document.querySelectorAll('#contents li > a')) {
        const part = document.getElementById(link.hash.slice(1));
        if (!part.querySelector('h3, h2') || !isShown(part)) continue;
        part.scrollIntoView();
        await frames(3);
        const marked = [...document.querySelectorAll('#contents [aria-current]')];
        const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
        if (marked.length !== 1 || (marked[0] !== link && !isEnd))
            faults.push(`at ${link.hash}: ${marked.map((one) => one.hash)}`);
    }
    return faults.slice(0, MOST);
}

function unfold() {
    for (const part of document.querySelectorAll('details')) part.open = true;
}
