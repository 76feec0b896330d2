package io.lazuli.server.settings;

import org.jspecify.annotations.Nullable;

/**
 * The static website of an account (blob-features 4.2): which blob of {@code $web} is shown for a
 * path.
 *
 * @param indexDocument the name of the blob that stands for a directory, in each directory
 * @param errorPath the blob that is shown if there is none for a path
 * @param defaultIndexPath the one blob that stands for all directories; not together with {@code
 *     indexDocument}
 */
public record StaticWebsite(
    boolean enabled,
    @Nullable String indexDocument,
    @Nullable String errorPath,
    @Nullable String defaultIndexPath) {
  public static final StaticWebsite OFF = new StaticWebsite(false, null, null, null);

  /**
   * Returns the blob that stands for a directory; null if there is none.
   *
   * @param directory empty, or ends with a slash
   */
  public @Nullable String index(String directory) {
    return indexDocument != null ? directory + indexDocument : defaultIndexPath;
  }
}
