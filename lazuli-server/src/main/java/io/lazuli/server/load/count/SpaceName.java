package io.lazuli.server.load.count;

import java.util.Comparator;

/**
 * The name of something that has load: a table, a queue or a container.
 *
 * @param service {@code table}, {@code queue} or {@code blob}
 * @param name as the first client wrote it; empty for what is not counted by name
 */
public record SpaceName(String account, String service, String name)
    implements Comparable<SpaceName> {
  private static final Comparator<SpaceName> ORDER =
      Comparator.comparing(SpaceName::account)
          .thenComparing(SpaceName::service)
          .thenComparing(SpaceName::name);

  /** Returns whether the name stands for the rest of an account's requests. */
  public boolean isRest() {
    return name.isEmpty();
  }

  @Override
  public int compareTo(SpaceName other) {
    return ORDER.compare(this, other);
  }
}
