package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A tab that is watched: when it closes, there must have been no error in the browser's console,
 * which includes reports of the policy, and no request to another origin.
 */
final class Tab implements AutoCloseable {
  private final BrowserContext context;
  private final Page page;
  private final PackedConsole console;
  private final List<String> problems = new ArrayList<>();
  private Pattern allowed = Pattern.compile("$^");

  Tab(Browser browser, PackedConsole console, Browser.NewContextOptions options) {
    this.console = console;
    context = browser.newContext(options);
    context.onRequest(
        request -> {
          String url = request.url();
          if (!url.startsWith(console.origin() + "/") && !url.startsWith("blob:")) {
            problems.add("request to " + url);
          }
        });
    page = context.newPage();
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") || message.type().equals("warning")) {
            problems.add(message.type() + ": " + message.text() + " " + message.location());
          }
        });
    page.onPageError(error -> problems.add("exception: " + error));
  }

  Page page() {
    return page;
  }

  /** Errors that the journey provokes, such as the status of a conflict. */
  Tab allow(String regex) {
    allowed = Pattern.compile(regex);
    return this;
  }

  /** Opens a view of the account. */
  Tab open(String view) {
    page.navigate(console.origin() + "/" + PackedConsole.ACCOUNT + view);
    return this;
  }

  Locator find(String selector) {
    return page.locator(selector);
  }

  Locator button(String text) {
    return page.locator("button:visible").filter(new Locator.FilterOptions().setHasText(text));
  }

  LocatorAssertions see(String selector) {
    return PlaywrightAssertions.assertThat(page.locator(selector));
  }

  void keys(String... keys) {
    for (String key : keys) {
      page.keyboard().press(key);
    }
  }

  void type(String text) {
    page.keyboard().type(text);
  }

  /** Calls a route of the console as another tab of the same person would. */
  Map<?, ?> call(String method, String path, String body, String ifMatch) {
    return (Map<?, ?>)
        page.evaluate(
            """
            async ([method, path, body, match]) => {
              const headers = {'X-Lazuli-Console': '1', 'Content-Type': 'application/json'};
              if (match) headers['If-Match'] = match;
              const r = await fetch('/api/v1/accounts/' + path, {method, headers, body: body || undefined});
              return {status: r.status, text: await r.text()};
            }
            """,
            List.of(method, PackedConsole.ACCOUNT + path, body, ifMatch));
  }

  void ok(String method, String path, String body, String ifMatch) {
    Map<?, ?> answer = call(method, path, body, ifMatch);
    assertThat((Integer) answer.get("status")).as("%s", answer).isBetween(200, 299);
  }

  @Override
  public void close() {
    context.close();
    assertThat(problems.stream().filter(problem -> !allowed.matcher(problem).find())).isEmpty();
  }
}
