package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.ADMIN;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.account.Account;
import io.lazuli.server.auth.SasMaker;
import io.lazuli.server.console.access.SasKind;
import io.lazuli.server.console.access.SasOrder;
import io.lazuli.server.console.access.SasTrials;
import io.lazuli.server.console.access.SasWords;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.http.PercentEncoding;
import io.lazuli.server.http.Response;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes shared access signatures, and shows keys. Neither is stored or logged. */
public final class SasRoutes {
  private final Function<String, @Nullable Account> accounts;
  private final BinaryOperator<String> addresses;
  private final SasTrials trials;
  private final Clock clock;

  /**
   * @param addresses returns the URL of a service of an account; the service comes first, and the
   *     URL is empty if the server does not have the service
   */
  public SasRoutes(
      Function<String, @Nullable Account> accounts,
      BinaryOperator<String> addresses,
      SasTrials trials,
      Clock clock) {
    this.accounts = accounts;
    this.addresses = addresses;
    this.trials = trials;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.of("sas", "POST /accounts/{a}/sas", ADMIN, this::make),
        Route.of("reveal-keys", "POST /accounts/{a}/keys", ADMIN, this::keys));
  }

  private Account account(Call call) {
    Account account = accounts.apply(call.account());
    if (account == null || account.keys().isEmpty()) {
      throw ConsoleErrors.NO_ACCOUNT.exception();
    }
    return account;
  }

  private CompletionStage<Response> make(Call call) {
    SasOrder order = SasOrder.of(call.json(SasOrder.FIELDS.toArray(String[]::new)));
    Account account = account(call);
    String token =
        order.kind() == SasKind.ACCOUNT
            ? SasMaker.ofAccount(account, order.fields())
            : SasMaker.ofResource(
                order.kind().service(), account, order.signedName(), order.fields());
    String url = url(order, account.name(), token);
    return trials
        .run(order, account.name(), token, call.request(), url.startsWith("https:"))
        .thenApply(tried -> answer(order, token, url, tried));
  }

  private String url(SasOrder order, String account, String token) {
    if (order.kind() == SasKind.ACCOUNT) {
      String first =
          order.services().contains("b")
              ? "blob"
              : order.services().contains("q") ? "queue" : "table";
      return addresses.apply(first, account) + "/?" + token;
    }
    String at =
        switch (order.kind()) {
          case SNAPSHOT -> "snapshot=" + PercentEncoding.encode(order.at()) + "&";
          case VERSION -> "versionid=" + PercentEncoding.encode(order.at()) + "&";
          default -> "";
        };
    String name = PercentEncoding.encode(order.resource()).replace("%2F", "/");
    return addresses.apply(order.kind().service(), account) + "/" + name + "?" + at + token;
  }

  private Response answer(SasOrder order, String token, String url, List<SasTrials.Outcome> tried) {
    return JsonOut.answer(
        200,
        json -> {
          json.writeStringField("token", token);
          json.writeStringField("url", url);
          texts(json, "words", SasWords.words(order));
          texts(json, "warnings", SasWords.warnings(order, clock.instant()));
          json.writeArrayFieldStart("tried");
          for (SasTrials.Outcome outcome : tried) {
            json.writeStartObject();
            json.writeStringField("what", outcome.what());
            json.writeBooleanField("allowed", outcome.why() == null);
            JsonOut.text(json, "why", outcome.why());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static void texts(JsonGenerator json, String name, List<String> texts)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  /** Shows the keys. A POST, so that a log line says who asked, and no cache keeps the answer. */
  private CompletionStage<Response> keys(Call call) {
    call.json();
    List<String> keys = account(call).keys().stream().map(key -> key.base64()).toList();
    return CompletableFuture.completedFuture(
        JsonOut.answer(200, json -> texts(json, "keys", keys)));
  }
}
