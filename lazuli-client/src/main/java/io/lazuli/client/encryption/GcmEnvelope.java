package io.lazuli.client.encryption;

import io.lazuli.client.encryption.EncryptionFailure.Kind;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM, format 1; {@code docs/client-encryption.md} describes every byte. The list of
 * encrypted property names is authenticated together with the text of the envelope, so that neither
 * can change without the other. The values are not bound to that text, so that a content key can be
 * wrapped again under another key.
 */
record GcmEnvelope(String text, WrappedKey key) implements Envelope {
  static final Format FORMAT = new GcmFormat();

  private static final String VERSION = "1";
  private static final String ALGORITHM = "A256GCM";
  private static final String PREFIX = VERSION + " " + ALGORITHM + " ";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private record GcmFormat() implements Format {
    @Override
    public String keyProperty() {
      return "_LazuliEncryptionKey";
    }

    @Override
    public String namesProperty() {
      return "_LazuliEncryptedNames";
    }

    @Override
    public Envelope create(WrappedKey key) {
      String bytes = Base64.getEncoder().encodeToString(key.bytes());
      String text = PREFIX + String.join(" ", key.keyId(), key.algorithm(), bytes);
      return new GcmEnvelope(text, key);
    }

    /** Parses the text of an envelope. The key id may contain spaces; the other parts do not. */
    @Override
    public Envelope parse(String text) throws Unreadable {
      List<String> parts = Arrays.asList(text.split(" ", -1));
      int last = parts.size() - 1;
      if (last < 4) {
        throw new Unreadable(Kind.MALFORMED, "Fewer than five parts");
      }
      if (!text.startsWith(PREFIX)) {
        throw new Unreadable(Kind.UNSUPPORTED, "Does not begin with " + PREFIX);
      }
      String keyId = String.join(" ", parts.subList(2, last - 1));
      byte[] bytes = base64(parts.get(last));
      return new GcmEnvelope(text, new WrappedKey(keyId, parts.get(last - 1), bytes));
    }

    private static byte[] base64(String text) throws Unreadable {
      try {
        return Base64.getDecoder().decode(text);
      } catch (IllegalArgumentException e) {
        throw new Unreadable(Kind.MALFORMED, "Not Base64");
      }
    }
  }

  static String filter(String keyId) {
    String start = FORMAT.keyProperty() + " ge '" + PREFIX + keyId.replace("'", "''") + " '";
    String end = FORMAT.keyProperty() + " lt '" + PREFIX + keyId.replace("'", "''") + "!'";
    return start + " and " + end;
  }

  @Override
  public byte[] encrypt(byte[] contentKey, Place place, byte[] plain)
      throws GeneralSecurityException {
    return seal(contentKey, plain, valueContext(place));
  }

  @Override
  public byte[] decrypt(byte[] contentKey, Place place, byte[] encrypted)
      throws GeneralSecurityException {
    return open(contentKey, encrypted, valueContext(place));
  }

  @Override
  public byte[] encryptNames(byte[] contentKey, Place place, Collection<String> names)
      throws GeneralSecurityException {
    byte[] plain = prefixed(names.toArray(String[]::new));
    return seal(contentKey, plain, namesContext(place));
  }

  @Override
  public Set<String> decryptNames(byte[] contentKey, Place place, byte[] encrypted)
      throws GeneralSecurityException {
    ByteBuffer plain = ByteBuffer.wrap(open(contentKey, encrypted, namesContext(place)));
    Set<String> names = new TreeSet<>();
    while (plain.hasRemaining()) {
      byte[] name = new byte[plain.getInt()];
      plain.get(name);
      names.add(new String(name, StandardCharsets.UTF_8));
    }
    return names;
  }

  private static byte[] valueContext(Place at) {
    return prefixed(at.table(), at.partitionKey(), at.rowKey(), at.property(), "Edm.String");
  }

  private byte[] namesContext(Place at) {
    return prefixed(at.table(), at.partitionKey(), at.rowKey(), at.property(), "names", text);
  }

  /** Writes each string after its length, so that no two lists of strings have the same bytes. */
  private static byte[] prefixed(String... strings) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (String string : strings) {
      byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
      out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      out.writeBytes(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] seal(byte[] contentKey, byte[] plain, byte[] context)
      throws GeneralSecurityException {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    byte[] sealed = cipher(Cipher.ENCRYPT_MODE, contentKey, nonce, context).doFinal(plain);
    return ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
  }

  private static byte[] open(byte[] contentKey, byte[] encrypted, byte[] context)
      throws GeneralSecurityException {
    if (encrypted.length < NONCE_BYTES + TAG_BYTES) {
      throw new AEADBadTagException("Shorter than nonce and tag");
    }
    return cipher(Cipher.DECRYPT_MODE, contentKey, encrypted, context)
        .doFinal(encrypted, NONCE_BYTES, encrypted.length - NONCE_BYTES);
  }

  /** Returns a cipher for the nonce at the start of the array; more bytes may follow the nonce. */
  private static Cipher cipher(int mode, byte[] contentKey, byte[] nonce, byte[] context)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    GCMParameterSpec parameters = new GCMParameterSpec(TAG_BYTES * 8, nonce, 0, NONCE_BYTES);
    cipher.init(mode, new SecretKeySpec(contentKey, "AES"), parameters);
    cipher.updateAAD(context);
    return cipher;
  }
}
