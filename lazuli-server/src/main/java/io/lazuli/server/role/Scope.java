package io.lazuli.server.role;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a role applies: an account, one of its services, or one table, queue or container. Written
 * as {@code ACCOUNT}, {@code ACCOUNT/blob} or {@code ACCOUNT/blob/photos}. A slash stands for the
 * server itself.
 *
 * @param account the account; empty for the server itself
 * @param service the label of the service; empty for all services
 * @param resource the name of the resource in the catalogue; empty for the whole service
 */
public record Scope(String account, String service, String resource) {
  private static final Set<String> SERVICES = Set.of("blob", "queue", "table");
  private static final Pattern FORM =
      Pattern.compile("([a-z0-9]{3,24})(?:/(blob|queue|table)(?:/([$A-Za-z0-9-]{1,63}))?)?");

  public Scope {
    if (!service.isEmpty() && !SERVICES.contains(service)) {
      throw new IllegalArgumentException("unknown service: " + service);
    }
  }

  /** The server itself: its admin port. */
  public static final Scope SERVER = new Scope("", "", "");

  private static final String ROOT = "/";

  /** Parses a scope; returns nothing if the text is not one. Names of tables ignore case. */
  public static Optional<Scope> parse(String text) {
    if (text.equals(ROOT)) {
      return Optional.of(SERVER);
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    String service = form.group(2) == null ? "" : form.group(2);
    String resource = form.group(3) == null ? "" : form.group(3);
    String key = service.equals("table") ? resource.toLowerCase(Locale.ROOT) : resource;
    return Optional.of(new Scope(form.group(1), service, key));
  }

  boolean isWithin(String label) {
    return service.isEmpty() || service.equals(label);
  }

  @Override
  public String toString() {
    if (service.isEmpty()) {
      return account.isEmpty() ? ROOT : account;
    }
    return account + "/" + service + (resource.isEmpty() ? "" : "/" + resource);
  }
}
