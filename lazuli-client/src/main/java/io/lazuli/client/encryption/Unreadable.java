package io.lazuli.client.encryption;

/**
 * Metadata that cannot be read. The caller that knows the entity converts it to an {@link
 * EncryptionFailure}.
 */
final class Unreadable extends Exception {
  private static final long serialVersionUID = 1L;

  private final EncryptionFailure.Kind kind;

  Unreadable(EncryptionFailure.Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  EncryptionFailure.Kind kind() {
    return kind;
  }
}
