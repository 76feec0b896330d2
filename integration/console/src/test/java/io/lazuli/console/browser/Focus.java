package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Walks a page with Tab alone, and checks at each step that a person sees where the focus is. */
final class Focus {
  private static final int STEPS_MAX = 250;

  /**
   * Describes the element that has the focus. It must be in sight, which includes that nothing
   * covers it, and it, or the control that it is a part of, must have an outline.
   */
  private static final String STEP =
      """
      () => {
        const e = document.activeElement;
        if (!e || e === document.body) return {end: false, name: '', wrong: []};
        const old = Boolean(e.lzStep);
        e.lzStep = true;
        const name = (e.getAttribute('aria-label') || e.closest('label')?.textContent || e.textContent || e.localName).trim().slice(0, 80);
        const seen = e.classList.contains('sr') ? e.closest('label') : e;
        const r = seen.getBoundingClientRect();
        const [x0, x1, y0, y1] = [Math.max(0, r.left), Math.min(innerWidth, r.right), Math.max(0, r.top), Math.min(innerHeight, r.bottom)];
        const part = [0.1, 0.3, 0.5, 0.7, 0.9];
        const inSight = x1 - x0 >= 1 && y1 - y0 >= 1 && part.some(i => part.some(k => {
          const hit = document.elementFromPoint(x0 + (x1 - x0) * i, y0 + (y1 - y0) * k);
          return hit && seen.contains(hit);
        }));
        const ring = [seen, seen.closest('.editor, .palette, .c.at')].filter(Boolean).map(x => getComputedStyle(x))
          .some(c => (c.outlineStyle !== 'none' && parseFloat(c.outlineWidth) >= 2) || c.boxShadow.includes('inset'));
        const wrong = [...(inSight ? [] : ['is out of sight']), ...(ring || e.id === 'main' ? [] : ['shows no focus'])];
        return {end: old, name, wrong: wrong.map(w => e.localName + ' "' + name + '" ' + w)};
      }
      """;

  /**
   * The elements that Tab must reach: those of a dialog if there is one. Of a group of radio
   * buttons it reaches the checked one.
   */
  private static final String MISSED =
      """
      () => [...(document.querySelector('.scrim') || document).querySelectorAll('a[href],button,input,select,textarea,summary,[tabindex]')]
        .filter(e => e.tabIndex >= 0 && !e.disabled && !e.lzStep && !e.closest('[inert]') && e.checkVisibility({visibilityProperty: true})
          && !(e.type === 'radio' && !e.checked))
        .map(e => 'Tab never reaches ' + e.localName + ' "' + (e.getAttribute('aria-label') || e.textContent).trim().slice(0, 80) + '"')
      """;

  private Focus() {}

  /** Walks until Tab comes round to where it began. Returns what is wrong. */
  static List<String> walk(Tab tab) {
    List<String> findings = new ArrayList<>();
    tab.keys("Tab");
    for (int i = 0; i < STEPS_MAX; i++) {
      Map<?, ?> step = (Map<?, ?>) tab.page().evaluate(STEP);
      ((List<?>) step.get("wrong")).forEach(each -> findings.add(each.toString()));
      if (Boolean.TRUE.equals(step.get("end"))) {
        ((List<?>) tab.page().evaluate(MISSED)).forEach(each -> findings.add(each.toString()));
        return findings;
      }
      tab.keys("Tab");
    }
    findings.add("Tab does not come round within " + STEPS_MAX + " steps");
    return findings;
  }

  /** Presses Tab until an element whose name begins so has the focus. */
  static void reach(Tab tab, String name) {
    List<String> passed = new ArrayList<>();
    for (int i = 0; i < STEPS_MAX; i++) {
      tab.keys("Tab");
      Map<?, ?> step = (Map<?, ?>) tab.page().evaluate(STEP);
      assertThat((List<?>) step.get("wrong")).isEmpty();
      passed.add(step.get("name").toString());
      if (step.get("name").toString().startsWith(name)) {
        return;
      }
    }
    throw new AssertionError("Tab never reached " + name + ", but " + passed);
  }

  /** Returns the name of the element that has the focus. */
  static String name(Tab tab) {
    return ((Map<?, ?>) tab.page().evaluate(STEP)).get("name").toString();
  }
}
