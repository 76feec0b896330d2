package io.lazuli.server.migration;

/**
 * A table, queue or container that is being filled. Mutable: it counts the imported items.
 *
 * @param <N> the type of the name in its service
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

  /** Returns the name that reports use. */
  String title() {
    return title;
  }

  String account() {
    return account;
  }

  N name() {
    return name;
  }

  /** Counts one more imported item, and reports progress from time to time. */
  void count(String what, int progressEvery, ImportReport report) {
    report.imported(what);
    if (++count % progressEvery == 0) {
      report.progress(filled(what) + " so far");
    }
  }

  /** Returns a text with the number of imported items, for a report. */
  String filled(String what) {
    return title + ": " + count + " " + what;
  }
}
