package io.lazuli.server.console.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The modules of the first view as one file. The browser suite runs the result. */
class BundleTest {
  private final Map<String, byte[]> files = new TreeMap<>();

  BundleTest() {
    put(
        "index.html",
        """
        <link rel="stylesheet" href="%BASE%/css/tokens.css">
        <link rel="stylesheet" href="%BASE%/css/console.css">
        <script type="module" src="%BASE%/js/app.js"></script>
        """);
    put("css/tokens.css", "a {}");
    put("css/console.css", "b {}");
    put(
        "js/core.js",
        "export const h = 1;\nexport async function s() {}\nconst x = 2;\nexport { x };\n");
    put("js/chart.js", "import { h as mark } from './core.js';\nexport class Chart {}\n");
    put(
        "js/views/overview.js",
        "import { h } from '../core.js';\nexport const view = () => import('../chart.js');\n");
    put(
        "js/app.js",
        """
        import { h, s } from './core.js';
        const first = () => import('./views/overview.js');
        const later = () => import('./views/later.js');
        """);
    put(
        "js/views/later.js",
        """
        import { h, x as y } from '../core.js';
        import * as all from '../core.js';
        import { own } from '../own.js';
        export const chart = () => import('../chart.js');
        """);
    put("js/own.js", "export const own = 1;\n");
  }

  private void put(String name, String text) {
    files.put(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private String served(String name) {
    return new String(Bundle.of(files).get(name), StandardCharsets.UTF_8);
  }

  @Test
  void modulesThatImportEachOtherAreRefused() {
    put("js/core.js", "import { Chart } from './chart.js';\nexport const h = 1;\n");
    assertThatThrownBy(() -> Bundle.of(files))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "modules of the console import each other:"
                + " js/chart.js > js/core.js > js/chart.js");
  }

  @Test
  void theFirstViewIsOneScriptAndOneStyleSheet() {
    assertThat(Bundle.of(files))
        .containsOnlyKeys(
            "index.html", "css/first.css", "js/first.js", "js/own.js", "js/views/later.js");
    assertThat(served("index.html"))
        .isEqualTo(
            """
            <link rel="stylesheet" href="%BASE%/css/first.css">
            <script type="module" src="%BASE%/js/first.js"></script>
            """);
    assertThat(served("css/first.css")).isEqualTo("a {}\nb {}\n");
    assertThat(served("js/first.js"))
        .isEqualTo(
            """
            const m$core = (() => {
            const h = 1;
            async function s() {}
            const x = 2;


            return { h, s, x };
            })();
            const m$chart = (() => {
            const { h: mark } = m$core;
            class Chart {}

            return { Chart };
            })();
            const m$views_overview = (() => {
            const { h } = m$core;
            const view = () => Promise.resolve(m$chart);

            return { view };
            })();
            const m$app = (() => {
            const { h, s } = m$core;
            const first = () => Promise.resolve(m$views_overview);
            const later = () => import('./views/later.js');

            return {  };
            })();
            export { m$core, m$chart, m$views_overview, m$app };
            """);
  }

  @Test
  void laterModulesTakeTheirImportsOutOfIt() {
    assertThat(served("js/views/later.js"))
        .isEqualTo(
            """
            import { m$core } from '../first.js'; const { h, x: y } = m$core;
            const all = m$core;
            import { own } from '../own.js';
            export const chart = () => import('../first.js').then(m => m.m$chart);
            """);
  }

  @Test
  void formsThatAreNotKnownAreRefused() {
    put(
        "js/core.js",
        "export default 1;\nexport const h = 1;\nexport const s = 2;\nexport const x = 3;\n");
    assertThatThrownBy(() -> Bundle.of(files)).hasMessageContaining("js/core.js");
    put("js/core.js", "export const h = 1, s = 2;\nexport const x = 3;\n");
    assertThatThrownBy(() -> Bundle.of(files)).hasMessageContaining("imports s");
    files.remove("js/core.js");
    assertThatThrownBy(() -> Bundle.of(files)).hasMessageContaining("no file js/core.js");
  }

  @Test
  void otherFilesStayAsTheyAre() {
    Map<String, byte[]> other = Map.of("index.html", new byte[] {1});
    assertThat(Bundle.of(other)).isSameAs(other);
  }
}
