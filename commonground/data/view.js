// The fused map in a page that needs nothing else: triangles and lines by WebGL 2, labels on a canvas above.
"use strict";
(() => {
  const box = document.getElementById("view3d");
  const data = JSON.parse(document.getElementById("view3d-data").textContent);
  const canvas = box.querySelector(".gl"), over = box.querySelector(".labels"), bar = box.querySelector(".bar");
  const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
  if (!gl) { box.classList.add("none"); return; }

  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  const VERTEX = `#version 300 es
    in vec3 at; in vec3 color; uniform mat4 view; uniform vec3 low, span; out vec3 shade, where;
    void main() { where = low + at * span; shade = color; gl_Position = view * vec4(where, 1.0); }`;
  const PIXEL = `#version 300 es
    precision highp float; in vec3 shade, where; uniform float lit; out vec4 pixel;
    void main() {
      vec3 n = normalize(cross(dFdx(where), dFdy(where)));
      float light = mix(1.0, 0.62 + 0.38 * abs(dot(n, normalize(vec3(0.35, -0.5, 0.8)))), lit);
      pixel = vec4(shade * light, 1.0);
    }`;
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, PIXEL]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source); gl.compileShader(shader); gl.attachShader(program, shader);
  }
  gl.linkProgram(program); gl.useProgram(program);
  const uniform = Object.fromEntries(["view", "low", "span", "lit"].map((n) => [n, gl.getUniformLocation(program, n)]));

  const buffer = (target, content) => {
    const made = gl.createBuffer();
    gl.bindBuffer(target, made); gl.bufferData(target, content, gl.STATIC_DRAW);
  };
  const parts = data.parts.map((part) => {
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const attribute = (name, content, type) => {
      const place = gl.getAttribLocation(program, name);
      buffer(gl.ARRAY_BUFFER, content);
      gl.enableVertexAttribArray(place); gl.vertexAttribPointer(place, 3, type, true, 0, 0);
    };
    attribute("at", new Uint16Array(bytes(part.at)), gl.UNSIGNED_SHORT);
    attribute("color", new Uint8Array(bytes(part.color)), gl.UNSIGNED_BYTE);
    const order = new Uint32Array(bytes(part.order));
    buffer(gl.ELEMENT_ARRAY_BUFFER, order);
    return { ...part, array, count: order.length, mode: part.lines ? gl.LINES : gl.TRIANGLES };
  });

  const shown = new Set(parts.filter((p) => p.on).map((p) => p.layer));
  for (const kind of new Set(data.labels.map((l) => l.kind))) shown.add(kind);
  for (const layer of [...new Set([...parts.map((p) => p.layer), ...data.labels.map((l) => l.kind)])]) {
    const label = document.createElement("label"), tick = document.createElement("input");
    tick.type = "checkbox"; tick.checked = shown.has(layer);
    tick.onchange = () => { tick.checked ? shown.add(layer) : shown.delete(layer); draw(); };
    label.append(tick, document.createTextNode(" " + layer));
    bar.append(label);
  }

  // an eye on a sphere around what it looks at
  const eye = { at: [...data.middle], far: data.width * 1.25, turn: -1.75, tilt: 0.85 };
  const sub = (a, b) => a.map((v, k) => v - b[k]);
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = (a) => a.map((v) => v / Math.hypot(...a));
  const frame = () => {
    const { at, far, turn, tilt } = eye;
    const from = [at[0] + far * Math.cos(turn) * Math.cos(tilt), at[1] + far * Math.sin(turn) * Math.cos(tilt),
      at[2] + far * Math.sin(tilt)];
    const back = unit(sub(from, at)), right = unit(cross([0, 0, 1], back)), up = cross(back, right);
    return { from, back, right, up };
  };
  const matrix = (f) => {
    const near = eye.far / 100, end = eye.far * 20, s = 1 / Math.tan(0.4), wide = s * canvas.height / canvas.width;
    const a = (end + near) / (near - end), b = 2 * end * near / (near - end);
    const row = (v, k) => [v[0] * k, v[1] * k, v[2] * k, -dot(v, f.from) * k];
    const x = row(f.right, wide), y = row(f.up, s), z = row(f.back, 1);
    const rows = [x, y, [a * z[0], a * z[1], a * z[2], a * z[3] + b], z.map((v) => -v)];
    return new Float32Array([0, 1, 2, 3].flatMap((c) => rows.map((r) => r[c])));
  };

  const draw = () => {
    const ratio = window.devicePixelRatio || 1, wide = box.clientWidth, high = box.clientHeight;
    for (const c of [canvas, over]) {
      if (c.width !== Math.round(wide * ratio) || c.height !== Math.round(high * ratio)) {
        c.width = Math.round(wide * ratio); c.height = Math.round(high * ratio);
      }
    }
    const view = matrix(frame());
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0.96, 0.97, 0.98, 1); gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(uniform.view, false, view);
    for (const part of parts) {
      if (!shown.has(part.layer)) continue;
      gl.bindVertexArray(part.array);
      gl.uniform3fv(uniform.low, part.low); gl.uniform3fv(uniform.span, part.span);
      gl.uniform1f(uniform.lit, part.lines ? 0 : 1);
      gl.drawElements(part.mode, part.count, gl.UNSIGNED_INT, 0);
    }
    name(view, ratio);
  };
  const put = (view, at) => {
    const p = [0, 1, 2, 3].map((r) => view[r] * at[0] + view[4 + r] * at[1] + view[8 + r] * at[2] + view[12 + r]);
    return [(p[0] / p[3] + 1) / 2 * box.clientWidth, (1 - p[1] / p[3]) / 2 * box.clientHeight, p[3]];
  };
  const name = (view, ratio) => {
    const pen = over.getContext("2d"), taken = [];
    pen.setTransform(ratio, 0, 0, ratio, 0, 0); pen.clearRect(0, 0, box.clientWidth, box.clientHeight);
    pen.textAlign = "center"; pen.textBaseline = "middle";
    for (const label of data.labels) {
      if (!shown.has(label.kind)) continue;
      const [x, y, w] = put(view, label.at);
      if (w <= 0) continue;
      pen.font = label.bold ? "600 13px system-ui, sans-serif" : "11px system-ui, sans-serif";
      const half = pen.measureText(label.text).width / 2 + 5;
      const room = [x - half, y - 9, x + half, y + 9];
      // what would cover an earlier, weightier name is left out
      if (taken.some((t) => room[0] < t[2] && room[2] > t[0] && room[1] < t[3] && room[3] > t[1])) continue;
      taken.push(room);
      pen.fillStyle = "rgba(255,255,255,.82)"; pen.fillRect(room[0], room[1], 2 * half, 18);
      pen.fillStyle = label.bold ? "#1f2933" : "#52606d"; pen.fillText(label.text, x, y);
    }
  };

  // a click shows the card that the page has of the nearest thing
  const show = (x, y) => {
    const view = matrix(frame());
    let best = null, least = 40;
    for (const label of data.labels) {
      const [px, py, w] = put(view, label.at);
      const gap = Math.hypot(px - x, py - y);
      if (label.card && w > 0 && gap < least && document.getElementById(label.card)) { best = label; least = gap; }
    }
    box.querySelector(".card")?.remove();
    if (!best) return;
    const card = document.getElementById(best.card).cloneNode(true);
    card.removeAttribute("id"); box.append(card);
  };

  let held = null, pressed = null;
  over.addEventListener("pointerdown", (e) => {
    held = pressed = [e.clientX, e.clientY]; over.setPointerCapture(e.pointerId);
  });
  over.addEventListener("pointerup", (e) => {
    if (pressed && Math.hypot(e.clientX - pressed[0], e.clientY - pressed[1]) < 4) {
      const at = over.getBoundingClientRect();
      show(e.clientX - at.left, e.clientY - at.top);
    }
    held = pressed = null;
  });
  over.addEventListener("pointermove", (e) => {
    if (!held) return;
    const dx = e.clientX - held[0], dy = e.clientY - held[1];
    held = [e.clientX, e.clientY];
    if (e.shiftKey || e.buttons === 2) {
      const f = frame(), step = eye.far / box.clientHeight;
      const ahead = unit([-f.back[0], -f.back[1], 0]);
      eye.at = eye.at.map((v, k) => v + step * (-dx * f.right[k] + dy * ahead[k]));
    } else {
      eye.turn -= dx * 0.006; eye.tilt = Math.min(1.55, Math.max(0.08, eye.tilt + dy * 0.006));
    }
    draw();
  });
  over.addEventListener("contextmenu", (e) => e.preventDefault());
  over.addEventListener("wheel", (e) => {
    e.preventDefault();
    eye.far = Math.min(data.width * 5, Math.max(2, eye.far * Math.exp(e.deltaY * 0.001))); draw();
  }, { passive: false });
  new ResizeObserver(draw).observe(box);
  box.dataset.ready = "yes";
})();
