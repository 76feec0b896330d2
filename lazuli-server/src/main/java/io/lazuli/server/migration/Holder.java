package io.lazuli.server.migration;

/**
 * A table, queue or container that is being filled. Mutable: it counts what came into it.
 *
 * @param <N> what its service knows it by
 */
final class Holder<N> {
  private final String title;
  private final String account;
  private final N name;
  private long count;

  Holder(String title, String account, N name) {
    this.title = title;
    this.account = account;
    this.name = name;
  }

  /** How a report calls it. */
  String title() {
    return title;
  }

  String account() {
    return account;
  }

  N name() {
    return name;
  }

  /** One more came into it. */
  void count(String what, int progressEvery, ImportReport report) {
    report.imported(what);
    if (++count % progressEvery == 0) {
      report.progress(filled(what) + " so far");
    }
  }

  /** What came into it, in words. */
  String filled(String what) {
    return title + ": " + count + " " + what;
  }
}
