package io.lazuli.client.encryption;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonWriter;
import io.lazuli.client.encryption.EncryptionFailure.Kind;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * AES-256-CBC, protocol 1.0, compatible with the legacy clients. The initialisation vector of a
 * value is the start of the SHA-256 of the entity's vector, the keys and the property name,
 * concatenated without separators. Java puts the partition key first, .NET the row key; the name of
 * the library in the metadata identifies the writer. Java lists names as {@code [A, B]}, .NET as a
 * JSON array. (Observed: azure-storage 8.6.6.)
 */
record LegacyEnvelope(String text, WrappedKey key, byte[] vector, boolean rowKeyFirst)
    implements Envelope {
  static final Format FORMAT = new LegacyFormat();

  private static final String PROTOCOL = "1.0";
  private static final String ALGORITHM = "AES_CBC_256";
  private static final String LIBRARY = "EncryptionLibrary";
  private static final int VECTOR_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private record LegacyFormat() implements Format {
    @Override
    public String keyProperty() {
      return "_ClientEncryptionMetadata1";
    }

    @Override
    public String namesProperty() {
      return "_ClientEncryptionMetadata2";
    }

    @Override
    public Envelope create(WrappedKey key) {
      byte[] vector = new byte[VECTOR_BYTES];
      RANDOM.nextBytes(vector);
      return new LegacyEnvelope(json(key, vector), key, vector, false);
    }

    @Override
    public Envelope parse(String text) throws Unreadable {
      Map<?, ?> json = object(read(text));
      Map<?, ?> agent = object(json.get("EncryptionAgent"));
      if (!PROTOCOL.equals(agent.get("Protocol"))
          || !ALGORITHM.equals(agent.get("EncryptionAlgorithm"))) {
        throw new Unreadable(Kind.UNSUPPORTED, "Not protocol 1.0 with AES_CBC_256");
      }
      Map<?, ?> wrapped = object(json.get("WrappedContentKey"));
      WrappedKey key =
          new WrappedKey(
              string(wrapped.get("KeyId")),
              string(wrapped.get("Algorithm")),
              base64(wrapped.get("EncryptedKey")));
      byte[] vector = base64(json.get("ContentEncryptionIV"));
      return new LegacyEnvelope(text, key, vector, !byJava(json.get("KeyWrappingMetadata")));
    }
  }

  private static String json(WrappedKey key, byte[] vector) {
    StringWriter text = new StringWriter();
    try (JsonWriter json = JsonProviders.createWriter(text)) {
      json.writeStartObject();
      json.writeStartObject("WrappedContentKey")
          .writeStringField("KeyId", key.keyId())
          .writeBinaryField("EncryptedKey", key.bytes())
          .writeStringField("Algorithm", key.algorithm())
          .writeEndObject();
      json.writeStartObject("EncryptionAgent")
          .writeStringField("Protocol", PROTOCOL)
          .writeStringField("EncryptionAlgorithm", ALGORITHM)
          .writeEndObject();
      json.writeBinaryField("ContentEncryptionIV", vector);
      json.writeStartObject("KeyWrappingMetadata")
          .writeStringField(LIBRARY, "Java Lazuli")
          .writeEndObject();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static @Nullable Object read(String text) throws Unreadable {
    try (JsonReader json = JsonProviders.createReader(text)) {
      return json.readUntyped();
    } catch (IOException | IllegalStateException e) {
      throw new Unreadable(Kind.MALFORMED, "Not JSON");
    }
  }

  private static Map<?, ?> object(@Nullable Object json) throws Unreadable {
    if (json instanceof Map<?, ?> map) {
      return map;
    }
    throw new Unreadable(Kind.MALFORMED, "Not a JSON object");
  }

  private static String string(@Nullable Object json) throws Unreadable {
    if (json instanceof String string) {
      return string;
    }
    throw new Unreadable(Kind.MALFORMED, "Not a JSON string");
  }

  private static byte[] base64(@Nullable Object json) throws Unreadable {
    try {
      return Base64.getDecoder().decode(string(json));
    } catch (IllegalArgumentException e) {
      throw new Unreadable(Kind.MALFORMED, "Not Base64");
    }
  }

  private static boolean byJava(@Nullable Object metadata) {
    return !(metadata instanceof Map<?, ?> map)
        || (map.get(LIBRARY) instanceof String library && library.contains("Java"));
  }

  @Override
  public byte[] encrypt(byte[] contentKey, Place place, byte[] plain)
      throws GeneralSecurityException {
    return cipher(Cipher.ENCRYPT_MODE, contentKey, place).doFinal(plain);
  }

  @Override
  public byte[] decrypt(byte[] contentKey, Place place, byte[] encrypted)
      throws GeneralSecurityException {
    return cipher(Cipher.DECRYPT_MODE, contentKey, place).doFinal(encrypted);
  }

  @Override
  public byte[] encryptNames(byte[] contentKey, Place place, Collection<String> names)
      throws GeneralSecurityException {
    String list = "[" + String.join(", ", names) + "]";
    return encrypt(contentKey, place, list.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Set<String> decryptNames(byte[] contentKey, Place place, byte[] encrypted)
      throws GeneralSecurityException, Unreadable {
    String list = new String(decrypt(contentKey, place, encrypted), StandardCharsets.UTF_8);
    if (!list.startsWith("[") || !list.endsWith("]")) {
      throw new Unreadable(Kind.TAMPERED, "Not a list of names");
    }
    String names = list.substring(1, list.length() - 1).replaceAll("[ \"]", "");
    return names.isEmpty() ? Set.of() : new TreeSet<>(Arrays.asList(names.split(",", -1)));
  }

  private Cipher cipher(int mode, byte[] contentKey, Place at) throws GeneralSecurityException {
    String keys = rowKeyFirst ? at.rowKey() + at.partitionKey() : at.partitionKey() + at.rowKey();
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(vector);
    digest.update((keys + at.property()).getBytes(StandardCharsets.UTF_8));
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    IvParameterSpec start = new IvParameterSpec(digest.digest(), 0, VECTOR_BYTES);
    cipher.init(mode, new SecretKeySpec(contentKey, "AES"), start);
    return cipher;
  }
}
