package io.lazuli.client.encryption;

import java.security.GeneralSecurityException;
import java.util.Collection;
import java.util.Set;

/**
 * The metadata of an encrypted entity: the wrapped content key and the way in which values are
 * encrypted with it. The GCM and the legacy format differ only in this.
 */
interface Envelope {
  /** Returns the text that is stored in the key property. */
  String text();

  WrappedKey key();

  byte[] encrypt(byte[] contentKey, Place place, byte[] plain) throws GeneralSecurityException;

  byte[] decrypt(byte[] contentKey, Place place, byte[] encrypted) throws GeneralSecurityException;

  byte[] encryptNames(byte[] contentKey, Place place, Collection<String> names)
      throws GeneralSecurityException;

  Set<String> decryptNames(byte[] contentKey, Place place, byte[] encrypted)
      throws GeneralSecurityException, Unreadable;

  /** Creates and parses envelopes, and names the properties that store them. */
  interface Format {
    /** Returns the name of the string property that stores the text of the envelope. */
    String keyProperty();

    /**
     * Returns the name of the binary property that stores the names of the encrypted properties.
     */
    String namesProperty();

    Envelope create(WrappedKey key);

    Envelope parse(String text) throws Unreadable;
  }
}
