package io.lazuli.server.live;

import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the heads of requests that were refused with 401 or 403, so that an administrator can ask
 * why. Bodies are not kept, and of a signature only its first letters are: enough to compare, too
 * few to use. Thread-safe.
 */
public final class Refusals {
  /** The number of heads that are kept, and the bytes of each. */
  static final int HEADS_MAX = 200;

  static final int HEAD_BYTES_MAX = 16 << 10;

  /** The letters of a signature that are kept. */
  static final int LETTERS = 6;

  /** Heads that are kept in a second; a flood of refusals must not cost much. */
  private static final int PER_SECOND_MAX = 20;

  /** Stands for the rest of a signature. */
  private static final String REST = "…";

  private static final Pattern TOKEN = Pattern.compile("(?i)(^|[?&])(sig=)([^&]*)");

  /** The head of a request, without the rest of its signature. */
  public record Head(
      String id,
      String account,
      String service,
      String code,
      String method,
      String scheme,
      String target,
      String peer,
      Map<String, String> headers) {
    public Head {
      headers = Map.copyOf(headers);
    }
  }

  private final Map<String, Head> heads = new LinkedHashMap<>();
  private long second;
  private int inSecond;

  Refusals() {}

  void add(String service, RequestEvent event, RequestSource source) {
    if (!mayKeep(System.nanoTime() / 1_000_000_000)) {
      return;
    }
    Map<String, String> headers = new LinkedHashMap<>();
    int[] length = {source.target().length()};
    source.visitHeaders(
        (name, value) -> {
          length[0] += name.length() + value.length();
          if (length[0] <= HEAD_BYTES_MAX) {
            headers.put(name.toString(), hidden(name.toString(), value.toString()));
          }
        });
    if (length[0] > HEAD_BYTES_MAX) {
      return;
    }
    Head head =
        new Head(
            event.requestId(),
            event.account(),
            service,
            event.errorCode(),
            source.method(),
            source.scheme(),
            withoutToken(source.target()),
            source.peerAddress(),
            headers);
    synchronized (this) {
      heads.put(head.id(), head);
      if (heads.size() > HEADS_MAX) {
        heads.remove(heads.keySet().iterator().next());
      }
    }
  }

  private synchronized boolean mayKeep(long now) {
    inSecond = now == second ? inSecond + 1 : 1;
    second = now;
    return inSecond <= PER_SECOND_MAX;
  }

  /** Cuts what could be used as a credential. */
  private static String hidden(String name, String value) {
    if (name.equalsIgnoreCase("Authorization")) {
      int signature = value.lastIndexOf(':') + 1;
      if (signature == 0) {
        int space = value.indexOf(' ');
        return space < 0 ? REST : value.substring(0, space + 1) + REST;
      }
      return value.substring(0, signature) + cut(value.substring(signature));
    }
    if (name.equalsIgnoreCase("Cookie") || name.equalsIgnoreCase("Proxy-Authorization")) {
      return REST;
    }
    return name.equalsIgnoreCase("x-ms-copy-source") ? withoutToken(value) : value;
  }

  private static String withoutToken(String target) {
    return TOKEN
        .matcher(target)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    found.group(1) + found.group(2) + cutEscaped(found.group(3))));
  }

  private static String cutEscaped(String signature) {
    int at = 0;
    for (int letters = 0; letters < LETTERS && at < signature.length(); letters++) {
      at += signature.charAt(at) == '%' ? 3 : 1;
    }
    return at >= signature.length() ? signature : signature.substring(0, at) + "%E2%80%A6";
  }

  private static String cut(String signature) {
    return signature.length() <= LETTERS ? signature : signature.substring(0, LETTERS) + REST;
  }

  /** Returns the head of a refused request of an account; null if it is not kept. */
  public synchronized @Nullable Head find(String account, String id) {
    Head head = heads.get(id);
    return head == null || !head.account.equals(account) ? null : head;
  }
}
