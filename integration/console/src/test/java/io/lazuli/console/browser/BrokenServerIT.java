package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server that is busy, slow, cut off, restarted, or has forgotten the session. */
class BrokenServerIT {
  private static final String DATA = "**/api/v1/accounts/**";

  /** The server is asked every two seconds whether it is back. */
  private static final LocatorAssertions.HasTextOptions PATIENT =
      new LocatorAssertions.HasTextOptions().setTimeout(30_000);

  private static Studio studio;
  private static PackedConsole server;

  /** A server of its own: a restart ends the sessions of everybody. */
  @BeforeAll
  static void seed() {
    studio = Studio.get();
    server = PackedConsole.startEmpty();
    try (Tab tab = studio.tab(server)) {
      tab.ok("POST", "/tables", "{\"name\":\"Many\"}", "");
      for (int from = 0; from < 600; from += 100) {
        tab.ok("POST", "/tables/Many/transaction", rows(from), "");
      }
      tab.ok("POST", "/queues", "{\"name\":\"tasks\"}", "");
      tab.ok("POST", "/containers", "{\"name\":\"files\"}", "");
    }
  }

  @AfterAll
  static void end() {
    if (server != null) {
      server.kill();
    }
  }

  private static String rows(int from) {
    return IntStream.range(from, from + 100)
        .mapToObj("{\"op\":\"insert\",\"k\":[\"p\",\"%1$04d\"],\"v\":{\"N\":%1$d}}"::formatted)
        .collect(Collectors.joining(",", "{\"changes\":[", "]}"));
  }

  private static Tab tab() {
    Tab tab = studio.tab(server, server.newLink());
    return tab.allow("status of 50|status of 401|ERR_|EventSource");
  }

  private static void busy(Route route) {
    route.fulfill(
        new Route.FulfillOptions()
            .setStatus(503)
            .setContentType("application/json")
            .setBody(
                "{\"code\":\"ServerBusy\",\"message\":\"The server is busy.\",\"retry\":true}"));
  }

  @Test
  void everyViewSaysThatTheServerIsBusyAndAsksAgain() {
    Map<String, String> views = new LinkedHashMap<>();
    views.put("", "section.card b:text-is('Many')");
    views.put("/tables", "lz-grid a:text-is('Many')");
    views.put("/tables/Many", "lz-grid .r0:has-text('0000')");
    views.put("/query/Many?filter=", "lz-grid .r0:has-text('0000')");
    views.put("/queues/tasks", ".empty:has-text('No messages')");
    views.put("/blobs/files", ".empty:has-text('No blobs here')");
    views.put("/load", ".empty, .heat");
    views.put("/live", ".vhead .pill:has-text('connected')");
    views.put("/cost", ".tiles");
    views.put("/model", "h1:has-text('Models')");
    views.put("/jobs", ".empty:has-text('No jobs')");
    views.put("/access/cors", "h1:has-text('Access')");
    try (Tab tab = tab()) {
      views.forEach(
          (view, sign) -> {
            tab.page().route(DATA, BrokenServerIT::busy);
            tab.open(view);
            tab.see("#main").containsText("The server is busy.");
            int buttons = tab.button("Again").count();
            assertThat(buttons).as(view).isPositive();
            tab.page().unroute(DATA);
            while (tab.button("Again").count() > 0) {
              int before = tab.button("Again").count();
              tab.button("Again").first().click();
              tab.see("#main button:visible:has-text('Again')").not().hasCount(before);
            }
            tab.see("#main " + sign + " >> nth=0").isVisible();
            tab.see("#main").not().containsText("The server is busy.");
          });
    }
  }

  @Test
  void rowsStayWhenALaterPageFails() {
    try (Tab tab = tab()) {
      tab.open("/tables/Many");
      tab.see("lz-grid").containsText("0000");
      AtomicBoolean busy = new AtomicBoolean(true);
      tab.page()
          .route(
              "**/query",
              route -> {
                if (busy.get()) {
                  busy(route);
                } else {
                  route.resume();
                }
              });
      tab.find("lz-grid").focus();
      tab.keys("Control+End");
      tab.see(".cover.low").containsText("The server is busy.");
      tab.see("lz-grid .r0:has-text('0199')").isVisible();
      busy.set(false);
      tab.button("Again").click();
      tab.see("lz-grid").isFocused();
      tab.see(".cover").isHidden();
      tab.page().waitForFunction("() => document.querySelector('lz-grid').o.pages.known === 400");
    }
  }

  @Test
  void aSlowAnswerShowsBarsThenWhatIsReadAndCanBeStopped() {
    try (Tab tab = tab()) {
      AtomicBoolean held = new AtomicBoolean(true);
      Consumer<Route> hold =
          route -> {
            if (!held.get()) {
              route.resume();
            }
          };
      tab.page().route("**/accounts/*/queues?*", hold);
      tab.page().route("**/query", hold);
      tab.open("");
      tab.see("section.card:has-text('Queues') [aria-busy=true] .sk >> nth=0").isVisible();
      tab.see("section.card:has-text('Queues')").containsText("takes longer than usual");
      tab.see("section.card b:text-is('Many')").isVisible();
      tab.button("Stop").click();
      tab.see("section.card:has-text('Queues')").containsText("Stopped.");
      held.set(false);
      tab.button("Again").click();
      tab.see("section.card b:text-is('tasks')").isVisible();

      held.set(true);
      tab.open("/tables/Many");
      tab.see("lz-grid .r0.wait >> nth=0").isVisible();
      tab.see(".cover").containsText("Looked at 0 so far.");
      tab.button("Stop").click();
      tab.see(".cover").containsText("Stopped.");
      held.set(false);
      tab.button("Again").click();
      tab.see("lz-grid").containsText("0000");
    }
  }

  @Test
  void anAnswerThatIsCutOffOrNotOursIsSaid() {
    try (Tab tab = tab()) {
      tab.page()
          .route(
              "**/query",
              route ->
                  route.fulfill(new Route.FulfillOptions().setBody("<html>Log in to the wifi")));
      tab.open("/tables/Many");
      tab.see(".cover").containsText("not from the console’s server");
      tab.page().unroute("**/query");
      tab.button("Again").click();
      tab.see("lz-grid").containsText("0000");

      // A read whose connection breaks is repeated as soon as the server answers.
      AtomicBoolean broken = new AtomicBoolean(true);
      tab.page()
          .route(
              "**/api/v1/**",
              route -> {
                if (broken.get()) {
                  route.abort("connectionreset");
                } else {
                  route.resume();
                }
              });
      tab.find("[aria-label='Read again']").click();
      tab.see(".cover").containsText("did not answer");
      tab.see(".lines").containsText("does not answer");
      broken.set(false);
      tab.see(".lines .line").hasCount(0, new LocatorAssertions.HasCountOptions().setTimeout(9000));
      tab.see("lz-grid").containsText("0000");
      tab.see(".cover").isHidden();
      tab.page().unroute("**/api/v1/**");

      // Nobody knows whether a write arrived. The text in the form stays.
      tab.find("lz-grid").focus();
      tab.keys("Control+Home", "ArrowRight", "ArrowRight", "F2");
      tab.type("7");
      tab.keys("Enter");
      tab.see(".stage").containsText("1 change in 1 entity");
      tab.page().route("**/entities?*", route -> route.abort("connectionreset"));
      tab.keys("Control+s");
      tab.see(".toast").containsText("The change may have been made, or not");
      tab.see(".stage").containsText("1 change in 1 entity");
      tab.page().unroute("**/entities?*");
      tab.keys("Control+s");
      tab.see(".stage").hasCount(0);
      tab.see("lz-grid .r0 >> nth=0").containsText("7");
    }
  }

  @Test
  void anExpiredSessionAsksToSignInAndComesBack() {
    try (Tab tab = tab()) {
      Page page = tab.page();
      tab.open("/tables/Many?filter=PartitionKey%20eq%20%27p%27");
      tab.see("lz-grid").containsText("0000");
      page.evaluate("() => { window.here = true; }");
      tab.button("Entity").click();
      tab.see("[role=dialog] h2").hasText("Add an entity");
      page.context().clearCookies();
      tab.button("Insert").click();
      page.waitForURL("**/-/sign-in?to=**");
      tab.see("[role=dialog]").hasCount(0);
      tab.type(server.newLink());
      tab.keys("Enter");
      page.waitForURL("**/tables/Many?filter=*");
      tab.see("lz-grid").containsText("0000");
      assertThat(page.evaluate("() => window.here")).isEqualTo(true);
    }
  }

  @Test
  void aRestartIsWaitedForWithoutLoadingThePageAnew() {
    try (Tab tab = tab()) {
      Page page = tab.page();
      tab.open("");
      tab.see("section.card b:text-is('Many')").isVisible();
      page.evaluate("() => { window.here = true; }");
      server.kill();
      tab.keys("g", "t");
      tab.see(".lines").containsText("does not answer", longer());
      tab.see(".nav .foot").containsText("No answer");
      server = server.startedAgain();
      // The new server knows no session.
      page.waitForURL("**/-/sign-in?to=**");
      tab.type(server.newLink());
      tab.keys("Enter");
      tab.see("lz-grid a:text-is('Many')").isVisible();
      tab.see(".lines .line").hasCount(0);
      tab.see("h1").hasText("Tables", PATIENT);
      assertThat(page.evaluate("() => window.here")).isEqualTo(true);
    }
  }

  private static LocatorAssertions.ContainsTextOptions longer() {
    return new LocatorAssertions.ContainsTextOptions().setTimeout(30_000);
  }
}
