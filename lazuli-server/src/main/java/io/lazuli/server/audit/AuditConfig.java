package io.lazuli.server.audit;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The audit of a server.
 *
 * @param file null for no audit
 * @param fileBytesMax the size beyond which a new file begins
 * @param filesMax the number of files that are kept, with the current one
 */
public record AuditConfig(@Nullable Path file, long fileBytesMax, int filesMax) {
  /** No audit, with the bounds of one. */
  public static final AuditConfig NONE = new AuditConfig(null, 100L << 20, 10);

  /** The most files. */
  public static final int FILES_MAX = 1_000;

  public AuditConfig {
    if (fileBytesMax < 1 || filesMax < 1 || filesMax > FILES_MAX) {
      throw new IllegalArgumentException(
          "audit-mib must be at least 1, and audit-files from 1 to " + FILES_MAX);
    }
  }

  public AuditConfig withFile(Path path) {
    return new AuditConfig(path, fileBytesMax, filesMax);
  }

  public AuditConfig withFileBytesMax(long bytes) {
    return new AuditConfig(file, bytes, filesMax);
  }

  public AuditConfig withFilesMax(int files) {
    return new AuditConfig(file, fileBytesMax, files);
  }
}
