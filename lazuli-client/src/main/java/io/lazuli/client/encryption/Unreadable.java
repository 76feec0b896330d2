package io.lazuli.client.encryption;

/** Metadata that cannot be read; caught where the entity is known. */
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
