package io.lazuli.server.admin;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The file descriptors of this process. Connections, files of the store and files of blobs need
 * them; without any left, most requests fail.
 */
public final class Descriptors {
  /** Beyond this share of the limit, the server reports trouble. */
  private static final double USED_SHARE_MAX = 0.9;

  private Descriptors() {}

  /** Returns one line if nearly all descriptors are in use; empty otherwise, and on Windows. */
  public static String trouble() {
    if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)) {
      return "";
    }
    long limit = unix.getMaxFileDescriptorCount();
    try {
      return trouble(unix.getOpenFileDescriptorCount(), limit);
    } catch (InternalError e) {
      // The JDK needs a descriptor to count them.
      return trouble(limit, limit);
    }
  }

  static String trouble(long open, long limit) {
    return open > limit * USED_SHARE_MAX
        ? open + " of " + limit + " file descriptors are in use"
        : "";
  }
}
