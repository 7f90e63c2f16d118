/* SPDX-License-Identifier: BSD-3-Clause */
/* figures.js: in a page, the points of a figure say what they are, and the keys of its series hide
   and show them. Without it the points have titles, and all is shown. */
"use strict";
(function () {
    const tip = document.createElement("div");
    tip.id = "told";
    tip.setAttribute("role", "status");
    document.body.appendChild(tip);

    function hide() {
        tip.textContent = "";
        document.querySelectorAll("circle.ring").forEach(ring => ring.remove());
    }

    const shapes = "path, use, circle, polygon, rect, text";
    const namesOf = element => element.dataset.name.split("|");
    const isHidden = point => point.style.display === "none";

    /* The title would be shown a second time by the browser. */
    function textOf(point) {
        const title = point.querySelector("title");
        if (title) {
            point.dataset.told = title.textContent;
            title.remove();
        }
        return point.dataset.told;
    }

    /* What the key shows, without gnuplot's marks for indices. */
    function nameOf(svg, point) {
        const series = point.closest(".series");
        if (!series) return "";
        const name = namesOf(series)[0];
        const key = keysOf(svg).find(k => k.dataset.name === name);
        return key ? key.textContent.trim() : name;
    }

    function show(svg, point) {
        hide();
        const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
        ring.setAttribute("class", "ring");
        for (const name of ["cx", "cy"]) ring.setAttribute(name, point.getAttribute(name));
        ring.setAttribute("r", "7");
        svg.appendChild(ring);
        const name = nameOf(svg, point), told = textOf(point);
        tip.textContent = name ? name + "\n" + told : told;
        const at = ring.getBoundingClientRect(), own = tip.getBoundingClientRect();
        const right = document.documentElement.clientWidth - own.width - 4;
        tip.style.left = Math.max(4, Math.min(right, at.right + 6)) + "px";
        tip.style.top = Math.max(4, at.top - own.height - 4) + "px";
    }

    /* The shown point nearest to the mouse, at most 24 pixels away. */
    function nearest(svg, event) {
        const matrix = svg.getScreenCTM();
        const x = (event.clientX - matrix.e) / matrix.a, y = (event.clientY - matrix.f) / matrix.d;
        let best = null, least = (24 / matrix.a) ** 2;
        for (const point of svg.querySelectorAll("circle.point")) {
            const far = (point.getAttribute("cx") - x) ** 2 + (point.getAttribute("cy") - y) ** 2;
            if (far >= least || isHidden(point)) continue;
            best = point;
            least = far;
        }
        return best;
    }

    /* The keys with a text; their samples have the same name. */
    const keysOf = svg => [...svg.querySelectorAll("g.key")].filter(key => key.textContent.trim());

    /* All that is drawn of a series, without its key. */
    function partsOf(svg, name) {
        const parts = [];
        for (const group of svg.querySelectorAll("g.series")) {
            if (!namesOf(group).includes(name)) continue;
            for (const part of group.querySelectorAll(shapes))
                if (!part.closest("g.key")) parts.push(part);
        }
        return parts;
    }

    /* A part of several series is shown if all of them are. */
    function draw(svg) {
        const off = new Set(keysOf(svg).filter(key => key.getAttribute("aria-pressed") === "false")
            .map(key => key.dataset.name));
        for (const group of svg.querySelectorAll("g.series")) {
            const hidden = namesOf(group).some(name => off.has(name));
            for (const part of group.querySelectorAll(shapes))
                if (!part.closest("g.key")) part.style.display = hidden ? "none" : "";
        }
        for (const key of svg.querySelectorAll("g.key"))
            key.classList.toggle("off", off.has(key.dataset.name));
    }

    function toggle(svg, name) {
        for (const key of keysOf(svg)) {
            if (key.dataset.name !== name) continue;
            const on = key.getAttribute("aria-pressed") !== "false";
            key.setAttribute("aria-pressed", on ? "false" : "true");
        }
        hide();
        draw(svg);
    }

    /* The arrows go from point to point of a series whose key has the focus. */
    function step(svg, key, by) {
        const points = partsOf(svg, key.dataset.name)
            .filter(part => part.matches("circle.point") && !isHidden(part));
        if (points.length === 0) return;
        const last = Number(key.dataset.at || (by > 0 ? -1 : 0));
        const at = (last + by + points.length) % points.length;
        key.dataset.at = at;
        show(svg, points[at]);
    }

    function onKey(svg, key, event) {
        if (event.key === "Enter" || event.key === " ") toggle(svg, key.dataset.name);
        else if (event.key === "ArrowRight") step(svg, key, 1);
        else if (event.key === "ArrowLeft") step(svg, key, -1);
        else if (event.key === "Escape") hide();
        else return;
        event.preventDefault();
    }

    function colourOf(group) {
        for (const e of group.querySelectorAll("path, use, circle, polygon")) {
            if (e.closest("g.key") || e.matches(".point")) continue;
            for (const name of ["stroke", "color", "fill"]) {
                const paint = e.getAttribute(name);
                if (paint && paint.startsWith("rgb") && !/255, *255, *255/.test(paint))
                    return paint.replace(/ /g, "");
            }
        }
        return "";
    }

    /* What has no name, and intervals and open marks that have one of their own, go with the
       series of their colour, if it is the only one that has points. */
    function join(svg) {
        const withPoints = new Set([...svg.querySelectorAll("circle.point")]
            .map(point => point.closest(".series")).filter(group => group)
            .map(group => group.dataset.name));
        const names = new Map();
        const all = [...svg.querySelectorAll("g.series, g.part")];
        for (const group of all) {
            const colour = colourOf(group), name = group.dataset.name;
            if (!colour || !withPoints.has(name)) continue;
            if (!names.has(colour)) names.set(colour, new Set());
            names.get(colour).add(name);
        }
        for (const group of all) {
            const own = names.get(colourOf(group)), name = group.dataset.name;
            if (!own || own.size !== 1 || own.has(name) || (name && name.includes("|"))) continue;
            group.dataset.name = (name ? name + "|" : "") + [...own][0];
            group.classList.add("series");
        }
    }

    for (const svg of document.querySelectorAll("figure svg")) {
        join(svg);
        svg.addEventListener("pointermove", event => {
            const point = nearest(svg, event);
            if (point) show(svg, point);
            else hide();
        });
        svg.addEventListener("pointerleave", hide);
        const seen = new Set();
        for (const key of keysOf(svg)) {
            const name = key.dataset.name;
            if (partsOf(svg, name).length === 0) continue;
            key.setAttribute("aria-pressed", "true");
            if (seen.has(name)) continue;
            seen.add(name);
            svg.setAttribute("role", "group"); // not an image: it has buttons
            key.setAttribute("role", "button");
            key.setAttribute("tabindex", "0");
            key.addEventListener("keydown", event => onKey(svg, key, event));
            key.addEventListener("blur", hide);
        }
        for (const key of svg.querySelectorAll("g.key"))
            if (seen.has(key.dataset.name)) {
                key.classList.add("can");
                key.addEventListener("click", () => toggle(svg, key.dataset.name));
            }
    }
})();
