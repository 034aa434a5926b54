// Copied by `autograder starter` from autograder/results/pages/film.js: edit that file.
'use strict';
(() => {
  const film = JSON.parse(document.getElementById('film').textContent);
  const one = id => document.getElementById(id);
  const all = query => [...document.querySelectorAll(query)];
  const stage = document.querySelector('.film');
  const keyboard = stage.classList.contains('within') ? stage : document;  // among other things, the keys are the page's
  const slider = one('slider'), lines = one('lines'), says = one('says');
  const last = film.frames.length - 1;
  const wrong = film.frames.findIndex(frame => frame.wrong);
  let at = 0, playing = 0;

  function write(place, kind, text) {
    for (const node of all(`[data-place="${place}"] .${kind}`)) node.textContent = text;
  }

  function numbers(step) {
    const held = { data: [...film.data], grad: [...film.grads] };
    for (const frame of film.frames.slice(0, step + 1)) if (frame.place !== null) held[frame.is][frame.place] = frame.to;
    film.data.forEach((_, place) => {
      write(place, 'data', held.data[place]);
      write(place, 'grad', held.grad[place]);
      write(place, 'expected', '');
    });
  }

  function mark(frame) {
    for (const node of all('.box')) node.classList.remove('changed', 'wrong', 'on-grad', 'on-data');
    for (const node of all('.arrow')) node.classList.remove('flow', 'wrong');
    if (frame.place !== null) {
      const kind = frame.wrong ? 'wrong' : 'changed';
      for (const node of all(`[data-place="${frame.place}"]`)) node.classList.add(kind, `on-${frame.is}`);
      if (frame.expected) write(frame.place, 'expected', `expected ${frame.expected}`);
    }
    for (const arrow of frame.arrows) {
      for (const node of all(`[data-arrow="${arrow}"]`)) {
        node.classList.add('flow');
        node.classList.toggle('wrong', frame.wrong);
      }
    }
  }

  function follow(frame) {
    for (const graph of all('.graph')) {
      const box = frame.place !== null && graph.querySelector(`[data-place="${frame.place}"]`);
      if (!box || graph.scrollWidth <= graph.clientWidth) continue;
      const [card, frameBox] = [box.getBoundingClientRect(), graph.getBoundingClientRect()];
      graph.scrollLeft += card.left + card.width / 2 - frameBox.left - frameBox.width / 2;
    }
  }

  function point(frame) {
    for (const node of all('.line.now')) node.classList.remove('now', 'wrong');
    const line = frame.line && document.querySelector(`[data-line="${frame.line}"]`);
    if (!line) return;
    line.classList.add('now');
    line.classList.toggle('wrong', frame.wrong);
    lines.scrollTop = line.offsetTop - lines.clientHeight / 2;
  }

  function show(step) {
    at = Math.min(Math.max(step, 0), last);
    const frame = film.frames[at];
    numbers(at);
    mark(frame);
    point(frame);
    follow(frame);
    slider.value = at;
    slider.setAttribute('aria-valuetext', frame.says);
    says.textContent = (frame.where ? `${frame.where}. ` : '') + frame.says;
    says.classList.toggle('wrong', frame.wrong);
    one('count').textContent = `${at} of ${last}`;
    for (const node of all('[data-step]')) {
      if (Number(node.dataset.step) === at) node.setAttribute('aria-current', 'step');
      else node.removeAttribute('aria-current');
    }
  }

  function play(start) {
    clearInterval(playing);
    playing = 0;
    if (start) {
      if (at === last) show(0);
      playing = setInterval(() => { if (at < last) show(at + 1); else play(false); }, 1400);
    }
    one('play').textContent = playing ? '❚❚' : '▶▶';
    one('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
  }

  function go(step) {
    play(false);
    show(step);
  }

  const keys = {
    ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1),
    Home: () => go(0), End: () => go(last), ' ': () => play(!playing), w: () => wrong >= 0 && go(wrong),
  };
  keyboard.addEventListener('keydown', event => {
    const act = keys[event.key];
    const inButton = event.key === ' ' && event.target.closest('button, summary');
    if (!act || inButton || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
  });
  slider.addEventListener('input', () => go(Number(slider.value)));
  one('back').addEventListener('click', () => go(at - 1));
  one('on').addEventListener('click', () => go(at + 1));
  one('play').addEventListener('click', () => play(!playing));
  document.addEventListener('click', event => {
    const step = event.target.closest('[data-step]');
    if (step) go(Number(step.dataset.step));
  });
  if (wrong >= 0) {
    one('wrong').hidden = false;
    one('wrong').addEventListener('click', () => go(wrong));
    one('flag').style.cssText = `display: block; left: calc(8px + (100% - 16px) * ${last ? wrong / last : 0})`;
  }
  for (const svg of all('.graph svg')) svg.style.minWidth = `${0.7 * svg.getAttribute('width')}px`;  // then it is scrolled
  stage.classList.add('live');
  show(film.start);
})();
