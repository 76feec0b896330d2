package io.lazuli.client.encryption;

import java.security.GeneralSecurityException;
import java.util.Collection;
import java.util.Set;

/**
 * The outside of an encrypted entity: the wrapped content key, and how values are encrypted with
 * what is inside. The two kinds differ in nothing else.
 */
interface Envelope {
  /** What is stored in the property for the key. */
  String text();

  WrappedKey key();

  byte[] encrypt(byte[] contentKey, Place place, byte[] plain) throws GeneralSecurityException;

  byte[] decrypt(byte[] contentKey, Place place, byte[] encrypted) throws GeneralSecurityException;

  byte[] encryptNames(byte[] contentKey, Place place, Collection<String> names)
      throws GeneralSecurityException;

  Set<String> decryptNames(byte[] contentKey, Place place, byte[] encrypted)
      throws GeneralSecurityException, Unreadable;

  /** How envelopes of a kind are made, read and stored. */
  interface Format {
    /** The property, a string, that has the text of the envelope. */
    String keyProperty();

    /** The property, a binary, that has the names of the encrypted properties. */
    String namesProperty();

    Envelope create(WrappedKey key);

    Envelope parse(String text) throws Unreadable;
  }
}
