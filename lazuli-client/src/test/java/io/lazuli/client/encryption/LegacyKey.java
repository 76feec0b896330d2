package io.lazuli.client.encryption;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.microsoft.azure.keyvault.core.IKey;
import com.microsoft.azure.keyvault.core.IKeyResolver;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.apache.commons.lang3.tuple.Pair;
import org.apache.commons.lang3.tuple.Triple;

/** A key-encryption key for the legacy client, implemented without any of our code. */
record LegacyKey(String getKid, String getDefaultKeyWrapAlgorithm, Key wrapping, Key unwrapping)
    implements IKey {
  static LegacyKey aes(String id, byte[] bytes) {
    Key key = new SecretKeySpec(bytes, "AES");
    return new LegacyKey(id, "A" + bytes.length * 8 + "KW", key, key);
  }

  static IKeyResolver resolver(Map<String, LegacyKey> keys) {
    return id -> Futures.immediateFuture(keys.get(id));
  }

  @Override
  public ListenableFuture<Pair<byte[], String>> wrapKeyAsync(byte[] key, String algorithm) {
    try {
      Cipher cipher = cipher();
      cipher.init(Cipher.WRAP_MODE, wrapping);
      byte[] wrapped = cipher.wrap(new SecretKeySpec(key, "AES"));
      return Futures.immediateFuture(Pair.of(wrapped, getDefaultKeyWrapAlgorithm));
    } catch (GeneralSecurityException e) {
      return Futures.immediateFailedFuture(e);
    }
  }

  @Override
  public ListenableFuture<byte[]> unwrapKeyAsync(byte[] encrypted, String algorithm) {
    try {
      if (!algorithm.equals(getDefaultKeyWrapAlgorithm)) {
        throw new GeneralSecurityException("Not " + getDefaultKeyWrapAlgorithm + ": " + algorithm);
      }
      Cipher cipher = cipher();
      cipher.init(Cipher.UNWRAP_MODE, unwrapping);
      Key key = cipher.unwrap(encrypted, "AES", Cipher.SECRET_KEY);
      return Futures.immediateFuture(key.getEncoded());
    } catch (GeneralSecurityException e) {
      return Futures.immediateFailedFuture(e);
    }
  }

  private Cipher cipher() throws GeneralSecurityException {
    boolean rsa = getDefaultKeyWrapAlgorithm.equals("RSA-OAEP");
    return Cipher.getInstance(rsa ? "RSA/ECB/OAEPWithSHA-1AndMGF1Padding" : "AESWrap");
  }

  @Override
  public String getDefaultEncryptionAlgorithm() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getDefaultSignatureAlgorithm() {
    throw new UnsupportedOperationException();
  }

  @Override
  public ListenableFuture<byte[]> decryptAsync(
      byte[] ciphertext, byte[] iv, byte[] data, byte[] tag, String algorithm) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ListenableFuture<Triple<byte[], byte[], String>> encryptAsync(
      byte[] plaintext, byte[] iv, byte[] data, String algorithm) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ListenableFuture<Pair<byte[], String>> signAsync(byte[] digest, String algorithm) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ListenableFuture<Boolean> verifyAsync(byte[] digest, byte[] signature, String algorithm) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
