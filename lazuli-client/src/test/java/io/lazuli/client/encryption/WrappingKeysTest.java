package io.lazuli.client.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WrappingKeysTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final char[] PASSWORD = "of the store".toCharArray();

  @TempDir Path folder;

  /** RFC 3394, 4.6: 256 bits of key data with a 256-bit key. */
  @Test
  void aesWrapsAsTheStandardSays() {
    AesWrappingKey key =
        AesWrappingKey.of(
            "k", HEX.parseHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"));
    byte[] content =
        HEX.parseHex("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f");
    String wrapped =
        "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21";
    assertThat(key.algorithm()).isEqualTo("A256KW");
    assertThat(HEX.formatHex(key.wrap(content).block())).isEqualTo(wrapped);
    assertThat(key.unwrap("A256KW", HEX.parseHex(wrapped)).block()).isEqualTo(content);
  }

  @Test
  void aesRejectsOtherAlgorithmsLengthsAndContents() {
    AesWrappingKey key = AesWrappingKey.of("k", new byte[32]);
    byte[] wrapped = key.wrap(new byte[32]).block();
    rejected(() -> key.unwrap("A128KW", wrapped).block());
    rejected(() -> key.unwrap("A256KW", new byte[0]).block());
    rejected(() -> key.unwrap("A256KW", new byte[41]).block());
    for (int at = 0; at < wrapped.length; at++) {
      byte[] changed = wrapped.clone();
      changed[at] ^= 1;
      rejected(() -> key.unwrap("A256KW", changed).block());
    }
    assertThatThrownBy(() -> AesWrappingKey.of("k", new byte[31]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(AesWrappingKey.of("k", new byte[16]).algorithm()).isEqualTo("A128KW");
    assertThat(key.toString()).isEqualTo("AesWrappingKey[k, A256KW]");
  }

  @Test
  void rsaWrapsAndUnwrapsBothKindsOfOaep() throws GeneralSecurityException {
    KeyPair pair = pair();
    RsaWrappingKey key = RsaWrappingKey.of("k", pair);
    byte[] content = new byte[32];
    byte[] wrapped = key.wrap(content).block();
    assertThat(key.unwrap("RSA-OAEP", wrapped).block()).isEqualTo(content);
    rejected(() -> key.unwrap("RSA-OAEP-256", wrapped).block());
    rejected(() -> key.unwrap("RSA1_5", wrapped).block());
    rejected(() -> RsaWrappingKey.of("k", pair()).unwrap("RSA-OAEP", wrapped).block());
    Cipher sha1 = Cipher.getInstance("RSA/ECB/OAEPWithSHA-1AndMGF1Padding");
    sha1.init(Cipher.DECRYPT_MODE, pair.getPrivate());
    assertThat(sha1.doFinal(wrapped)).isEqualTo(content);
  }

  @Test
  void aKeyStoreFileGivesItsKeysByAlias() throws Exception {
    Path file = folder.resolve("keys.p12");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, PASSWORD);
    store.setKeyEntry("Key-1", new SecretKeySpec(new byte[32], "AES"), PASSWORD, null);
    byte[] other = HEX.parseHex("01".repeat(32));
    store.setKeyEntry("Key-2", new SecretKeySpec(other, "AES"), PASSWORD, null);
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD);
    }
    KeyRing ring = KeyRing.open(file, PASSWORD, "Key-2");
    assertThat(ring.current().block().id()).isEqualTo("Key-2");
    byte[] wrapped = ring.current().block().wrap(new byte[32]).block();
    assertThat(ring.find("Key-2").block().unwrap("A256KW", wrapped).block()).hasSize(32);
    rejected(() -> ring.find("Key-1").block().unwrap("A256KW", wrapped).block());
    assertThat(ring.find("key-3").blockOptional()).isEmpty();
    assertThat(ring.rotatedTo(AesWrappingKey.of("key-3", other)).find("KEY-1").block()).isNotNull();
    assertThatThrownBy(() -> KeyRing.open(file, PASSWORD, "Key-3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Key-3");
  }

  @Test
  void aRingInMemoryTakesIdsLiterally() {
    KeyRing ring =
        KeyRing.of(AesWrappingKey.of("B", new byte[32]), AesWrappingKey.of("A", new byte[32]));
    assertThat(ring.find("A").block()).isNotNull();
    assertThat(ring.find("a").blockOptional()).isEmpty();
    KeyRing rotated = ring.rotatedTo(AesWrappingKey.of("C", new byte[32]));
    assertThat(rotated.current().block().id()).isEqualTo("C");
    assertThat(rotated.find("B").block()).isNotNull();
    assertThat(ring.find("C").blockOptional()).isEmpty();
  }

  private static KeyPair pair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  private static void rejected(ThrowingCallable call) {
    assertThatThrownBy(call).hasCauseInstanceOf(GeneralSecurityException.class);
  }
}
