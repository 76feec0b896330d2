package io.lazuli.server.blob.model;

import io.lazuli.server.error.CommonErrors;
import java.util.Set;

/** A valid name of a container (blob-rest 9.1). */
public record ContainerName(String text) {
  private static final int LENGTH_MIN = 3;
  private static final int LENGTH_MAX = 63;

  /** The container of the request logs. */
  public static final ContainerName LOGS = new ContainerName("$logs");

  /** The container of blobs whose path has no container (blob-features 4.1). */
  public static final ContainerName ROOT = new ContainerName("$root");

  /** The container of the static website (blob-features 4.2). */
  public static final ContainerName WEB = new ContainerName("$web");

  /** Containers that only the server can create. */
  private static final Set<String> SYSTEM = Set.of("$logs", "$blobchangefeed");

  /** Containers with names of their own that clients can create. */
  private static final Set<String> SPECIAL = Set.of("$root", "$web");

  /** Returns a name that a client may address, or throws 400. */
  public static ContainerName require(String text) {
    return SYSTEM.contains(text) ? new ContainerName(text) : requireNew(text);
  }

  /** Returns a name that a client may create, or throws 400. The length is checked first. */
  public static ContainerName requireNew(String text) {
    if (SPECIAL.contains(text)) {
      return new ContainerName(text);
    }
    if (text.length() < LENGTH_MIN || text.length() > LENGTH_MAX) {
      throw CommonErrors.NAME_LENGTH_OUT_OF_RANGE.exception();
    }
    for (int i = 0; i < text.length(); i++) {
      boolean dash = text.charAt(i) == '-';
      boolean dashFits = i > 0 && i < text.length() - 1 && text.charAt(i - 1) != '-';
      if (dash ? !dashFits : !isLetterOrDigit(text.charAt(i))) {
        throw CommonErrors.INVALID_RESOURCE_NAME.exception();
      }
    }
    return new ContainerName(text);
  }

  /** Returns true for containers that listings show only on request. */
  public boolean isSystem() {
    return SYSTEM.contains(text);
  }

  /**
   * Returns true if the resource is {@link #LOGS} or a blob in it.
   *
   * @param resource a container, or a container, a slash and a blob
   */
  public static boolean isOfLogs(String resource) {
    return resource.startsWith(LOGS.text)
        && (resource.length() == LOGS.text.length() || resource.charAt(LOGS.text.length()) == '/');
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }
}
