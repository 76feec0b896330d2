package io.lazuli.server.live;

import io.lazuli.server.account.Account;
import io.lazuli.server.auth.SignatureExplainer;
import io.lazuli.server.auth.SignatureExplanation;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.Content;
import io.lazuli.server.http.Headers;
import io.lazuli.server.http.Request;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a request was refused, by the rules of {@code lazuli explain-signature}. Only the
 * keys that are valid now are tried: old ones are not kept. For administrators only.
 */
public final class WhyRefused {
  /** Gives a request the address that its service finds in it. */
  @FunctionalInterface
  public interface Addresses {
    Request addressed(String service, Request request);
  }

  /**
   * An explanation. It has neither keys nor signatures.
   *
   * @param text the most helpful sentence
   * @param fields what was signed, as this server reads it, in order
   * @param checked what else was found
   */
  public record Explanation(
      String text, String scheme, List<Map.Entry<String, String>> fields, List<String> checked) {}

  private final Refusals refusals;
  private final Addresses addresses;
  private final Function<String, @Nullable Account> accounts;
  private final Supplier<List<Account>> all;
  private final Clock clock;
  private final Duration dateWindow;

  public WhyRefused(
      Refusals refusals,
      Addresses addresses,
      Function<String, @Nullable Account> accounts,
      Supplier<List<Account>> all,
      Clock clock,
      Duration dateWindow) {
    this.refusals = refusals;
    this.addresses = addresses;
    this.accounts = accounts;
    this.all = all;
    this.clock = clock;
    this.dateWindow = dateWindow;
  }

  /** Explains a refused request of an account; null if its head is not kept any more. */
  public @Nullable Explanation explain(String account, String id) {
    Refusals.Head head = refusals.find(account, id);
    Account owner = accounts.apply(account);
    SignatureExplainer explainer =
        head == null ? null : SignatureExplainer.ofService(head.service(), clock, dateWindow);
    if (head == null || owner == null || explainer == null) {
      return null;
    }
    Request request = request(head);
    SignatureExplanation found;
    try {
      found = explainer.explain(addresses.addressed(head.service(), request), owner, all.get());
    } catch (ServiceException e) {
      return new Explanation(
          "The request was refused with " + head.code() + ".", "", List.of(), List.of());
    }
    String text = found.remarks().isEmpty() ? found.answer() : found.remarks().get(0);
    List<String> checked =
        found.remarks().isEmpty() ? List.of() : found.remarks().subList(1, found.remarks().size());
    return new Explanation(
        text,
        found.scheme(),
        found.fields().stream().map(field -> Map.entry(field.name(), field.value())).toList(),
        checked);
  }

  private static Request request(Refusals.Head head) {
    int query = head.target().indexOf('?');
    return new Request(
        head.id(),
        head.method(),
        query < 0 ? head.target() : head.target().substring(0, query),
        query < 0 ? "" : head.target().substring(query + 1),
        new KeptHeaders(head.headers()),
        head.scheme(),
        head.peer(),
        0,
        Content.NONE,
        AnswerBudget.unbounded(),
        Runnable::run);
  }

  /** Headers by their names, without regard to case. */
  private static final class KeptHeaders implements Headers {
    private final Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    KeptHeaders(Map<String, String> values) {
      this.values.putAll(values);
    }

    @Override
    public @Nullable String first(String name) {
      return values.get(name);
    }

    @Override
    public List<String> all(String name) {
      String value = values.get(name);
      return value == null ? List.of() : List.of(value);
    }

    @Override
    public Set<String> names() {
      return values.keySet();
    }
  }
}
