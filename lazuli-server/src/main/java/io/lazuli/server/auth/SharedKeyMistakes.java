package io.lazuli.server.auth;

import io.lazuli.server.auth.NearMisses.Mistake;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.Headers;
import io.lazuli.server.http.PercentEncoding;
import io.lazuli.server.http.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The mistakes that clients make when they sign with a shared key. The texts are built by the
 * server's own rules.
 */
final class SharedKeyMistakes {
  private static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "DELETE", "PATCH", "MERGE", "HEAD");
  private static final List<String> TYPES =
      List.of(
          "application/json",
          "application/json; charset=utf-8",
          "application/json;charset=utf-8",
          "application/json;odata=nometadata",
          "application/json;odata=minimalmetadata",
          "application/atom+xml",
          "application/x-www-form-urlencoded",
          "text/plain",
          "text/plain; charset=utf-8");

  private SharedKeyMistakes() {}

  /**
   * The parts of a string-to-sign.
   *
   * @param end a text after the string-to-sign; empty if the client made no mistake there
   */
  record Draft(
      SignedText form, Request request, String account, String date, String path, String end) {
    String text() {
      return form.of(request, account, date, path) + end;
    }

    Draft form(SignedText other) {
      return new Draft(other, request, account, date, path, end);
    }

    Draft request(Request other) {
      return new Draft(form, other, account, date, path, end);
    }

    Draft date(String other) {
      return new Draft(form, request, account, other, path, end);
    }

    Draft path(String other) {
      return new Draft(form, request, account, date, other, end);
    }

    Draft end(String other) {
      return new Draft(form, request, account, date, path, other);
    }
  }

  static List<Mistake<Draft>> of(SigningRules rules, boolean isLite, Request request) {
    List<Mistake<Draft>> all = new ArrayList<>();
    all.add(
        new Mistake<>(
            isLite
                ? "the scheme were SharedKey, which signs more fields"
                : "the scheme were SharedKeyLite, which signs fewer fields",
            draft -> draft.form(isLite ? rules.full() : rules.lite())));
    addPaths(all, request);
    addQueries(all);
    addDates(all, request);
    addMethods(all, request);
    addContentTypes(all);
    all.add(new Mistake<>("the string to sign ended with a line feed", draft -> draft.end("\n")));
    return all;
  }

  private static void addPaths(List<Mistake<Draft>> all, Request request) {
    Address address = request.address();
    boolean inPath = !address.path().equals(request.rawPath());
    all.add(
        inPath
            ? path(
                "the canonicalized resource contained the account once; it must contain it twice if"
                    + " the account is in the URL's path",
                path -> address.path().isEmpty() ? "/" : address.path())
            : path(
                "the canonicalized resource contained the account twice; it must contain it once if"
                    + " the account is in the host",
                path -> "/" + address.account() + path));
    all.add(path("the path were not escaped", PercentEncoding::decode));
    all.add(path("quotes in the path were escaped as %27", path -> path.replace("'", "%27")));
    all.add(path("%27 in the path were a quote", path -> path.replace("%27", "'")));
    all.add(path("commas in the path were escaped as %2C", path -> path.replace(",", "%2C")));
    all.add(path("%2C in the path were a comma", path -> path.replace("%2C", ",")));
    all.add(path("equals signs in the path were escaped", path -> path.replace("=", "%3D")));
    all.add(path("%3D in the path were an equals sign", path -> path.replace("%3D", "=")));
    all.add(
        path(
            "parentheses in the path were escaped",
            path -> path.replace("(", "%28").replace(")", "%29")));
    all.add(path("the dollar sign in the path were escaped", path -> path.replace("$", "%24")));
    all.add(path("%24 in the path were a dollar sign", path -> path.replace("%24", "$")));
    all.add(path("%20 in the path were a plus sign", path -> path.replace("%20", "+")));
    all.add(path("escapes in the path were in lower case", SharedKeyMistakes::smallEscapes));
    all.add(path("the path were in lower case", path -> path.toLowerCase(Locale.ROOT)));
    all.add(
        path(
            "the keys of the entity were not in the path",
            path -> path.replaceAll("\\(.*\\)$", "")));
    all.add(
        path("the parentheses in the path were empty", path -> path.replaceAll("\\(.+\\)$", "()")));
    all.add(path("() followed the table", path -> path + "()"));
    all.add(path("the path ended in a slash", path -> path + "/"));
    all.add(path("the path did not end in a slash", path -> path.replaceAll("/$", "")));
  }

  private static void addQueries(List<Mistake<Draft>> all) {
    all.add(
        new Mistake<>(
            "the string to sign did not contain the parameter comp",
            draft ->
                draft.request.query().first("comp") == null
                    ? null
                    : draft.request(with(draft.request, draft.request.method(), "", null))));
    all.add(
        new Mistake<>(
            "the string to sign contained the whole query; only comp belongs there",
            draft ->
                draft.request.rawQuery().isEmpty()
                    ? null
                    : draft
                        .request(with(draft.request, draft.request.method(), "", null))
                        .end("?" + draft.request.rawQuery())));
  }

  private static void addDates(List<Mistake<Draft>> all, Request request) {
    all.add(new Mistake<>("the date in the string to sign were empty", draft -> draft.date("")));
    String plain = request.header("Date");
    if (plain != null && request.header("x-ms-date") != null) {
      all.add(
          new Mistake<>(
              "the header Date were signed; x-ms-date takes precedence",
              draft -> draft.date(plain)));
    }
  }

  private static void addMethods(List<Mistake<Draft>> all, Request request) {
    String tunnelled = request.header("X-HTTP-Method");
    for (String method : METHODS) {
      if (!method.equals(request.method())) {
        String why = method.equals(tunnelled) ? "; sign the outer method, not X-HTTP-Method" : "";
        all.add(
            new Mistake<>(
                "the method were " + method + why,
                draft ->
                    draft.request(with(draft.request, method, draft.request.rawQuery(), null))));
      }
    }
    String small = request.method().toLowerCase(Locale.ROOT);
    all.add(
        new Mistake<>(
            "the method were signed in lower case",
            draft -> draft.request(with(draft.request, small, draft.request.rawQuery(), null))));
  }

  private static void addContentTypes(List<Mistake<Draft>> all) {
    all.add(header("the Content-Type in the string to sign were empty", "Content-Type", ""));
    for (String type : TYPES) {
      all.add(header("the Content-Type were " + type, "Content-Type", type));
    }
    all.add(header("the Content-MD5 in the string to sign were empty", "Content-MD5", ""));
  }

  private static Mistake<Draft> path(String says, NullablePath change) {
    return new Mistake<>(
        says,
        draft -> {
          String changed = change.apply(draft.path);
          return changed == null || changed.equals(draft.path) ? null : draft.path(changed);
        });
  }

  private static Mistake<Draft> header(String says, String name, String value) {
    return new Mistake<>(
        says,
        draft -> {
          Request old = draft.request;
          Overlaid headers = new Overlaid(old.headers(), name, value);
          return draft.request(with(old, old.method(), old.rawQuery(), headers));
        });
  }

  private static Request with(
      Request old, String method, String rawQuery, @Nullable Headers headers) {
    return new Request(
            old.id(),
            method,
            old.rawPath(),
            rawQuery,
            headers == null ? old.headers() : headers,
            old.scheme(),
            old.remoteAddress(),
            old.arrivedNanos(),
            old.content(),
            old.answers(),
            old.loop())
        .withAddress(old.address());
  }

  private static String smallEscapes(String path) {
    StringBuilder out = new StringBuilder(path);
    for (int at = out.indexOf("%");
        at >= 0 && at + 2 < out.length();
        at = out.indexOf("%", at + 1)) {
      out.setCharAt(at + 1, Character.toLowerCase(out.charAt(at + 1)));
      out.setCharAt(at + 2, Character.toLowerCase(out.charAt(at + 2)));
    }
    return out.toString();
  }

  @FunctionalInterface
  private interface NullablePath {
    @Nullable String apply(String path);
  }

  /** Headers in which one header has another value. */
  private record Overlaid(Headers base, String name, String value) implements Headers {
    @Override
    public @Nullable String first(String asked) {
      return asked.equalsIgnoreCase(name) ? value : base.first(asked);
    }

    @Override
    public Set<String> names() {
      return base.names();
    }

    @Override
    public List<String> all(String asked) {
      return asked.equalsIgnoreCase(name) ? List.of(value) : base.all(asked);
    }
  }
}
