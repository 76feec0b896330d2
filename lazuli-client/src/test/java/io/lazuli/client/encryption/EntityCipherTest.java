package io.lazuli.client.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.encryption.EncryptionFailure.Kind;
import io.lazuli.client.entity.EntityKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class EntityCipherTest {
  private static final String KEY = "_LazuliEncryptionKey";
  private static final String NAMES = "_LazuliEncryptedNames";
  private static final Set<String> WHOLE = Set.of();
  private static final EncryptionScope SCOPE =
      EncryptionScope.of("Staff", EncryptionResolver.properties(Set.of("Salary", "Notes")));

  private final EntityCipher cipher = EntityCipher.gcm(KeyRing.of(key("k1", 1)));

  /** Ciphers of both formats, for properties that both guarantee. */
  enum Format {
    GCM,
    LEGACY;

    EntityCipher of(KeyResolver keys) {
      return this == GCM ? EntityCipher.gcm(keys) : EntityCipher.legacy(keys);
    }
  }

  @ParameterizedTest
  @EnumSource
  void chosenStringsRoundTripAndOtherPropertiesStay(Format format) {
    EntityCipher cipher = format.of(KeyRing.of(key("k1", 1)));
    TableEntity plain =
        employee().addProperty("Age", 42).addProperty("odata.etag", "W/\"1\"").addProperty("B", 7L);
    TableEntity sealed = sealed(cipher, plain);
    assertThat(sealed.getProperty("Salary")).isInstanceOf(byte[].class);
    assertThat(sealed.getProperty("Notes")).isInstanceOf(byte[].class);
    assertThat(sealed.getProperty("Name")).isEqualTo("Ann");
    assertThat(sealed.getETag()).isEqualTo("W/\"1\"");
    TableEntity back = opened(cipher, sealed);
    assertThat(back.getProperties()).isEqualTo(plain.getProperties());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a", "ü€😀", "\0", "\u202eabc", "line\nline"})
  void everyStringRoundTrips(String text) {
    for (Format format : Format.values()) {
      EntityCipher cipher = format.of(KeyRing.of(key("k1", 1)));
      TableEntity back = opened(cipher, sealed(cipher, employee().addProperty("Notes", text)));
      assertThat(back.getProperty("Notes")).isEqualTo(text);
    }
  }

  @Test
  void ciphertextAndMetadataShowNeitherValuesNorNames() {
    TableEntity sealed = sealed(cipher, employee());
    for (Object value : sealed.getProperties().values()) {
      String bytes =
          value instanceof byte[] b ? new String(b, StandardCharsets.ISO_8859_1) : "" + value;
      assertThat(bytes).doesNotContain("100000", "promote", "Salary");
    }
  }

  @Test
  void theGivenEntityIsNotChanged() {
    TableEntity entity = employee();
    TableEntity sealed = sealed(cipher, entity);
    assertThat(entity.getProperties()).isEqualTo(employee().getProperties());
    opened(cipher, sealed);
    assertThat(sealed.getProperties()).containsKeys(KEY, NAMES);
  }

  @Test
  void everyByteOfEveryValueIsAuthenticated() {
    TableEntity sealed = sealed(cipher, employee());
    for (String property : Set.of("Salary", "Notes", NAMES)) {
      byte[] value = (byte[]) sealed.getProperty(property);
      for (int at = 0; at < value.length; at++) {
        byte[] changed = value.clone();
        changed[at] ^= (byte) (1 << (at % 8));
        rejected(Kind.TAMPERED, property, copy(sealed).addProperty(property, changed));
      }
    }
  }

  @Test
  void truncatedOrReplacedValuesAreRejected() {
    TableEntity sealed = sealed(cipher, employee());
    byte[] value = (byte[]) sealed.getProperty("Salary");
    for (int length = 0; length < value.length; length++) {
      byte[] cut = Arrays.copyOf(value, length);
      rejected(Kind.TAMPERED, "Salary", copy(sealed).addProperty("Salary", cut));
    }
    byte[] longer = Arrays.copyOf(value, value.length + 1);
    rejected(Kind.TAMPERED, "Salary", copy(sealed).addProperty("Salary", longer));
    rejected(Kind.TAMPERED, "Salary", copy(sealed).addProperty("Salary", "100000"));
    rejected(Kind.MISSING, "Salary", without(sealed, "Salary"));
  }

  @Test
  void everyCharacterOfTheMetadataIsAuthenticated() {
    TableEntity sealed = sealed(cipher, employee());
    String text = (String) sealed.getProperty(KEY);
    for (int at = 0; at < text.length(); at++) {
      char other = text.charAt(at) == 'B' ? 'C' : 'B';
      String changed = text.substring(0, at) + other + text.substring(at + 1);
      EncryptionFailure failure = failure(copy(sealed).addProperty(KEY, changed), SCOPE);
      assertThat(failure.property()).isIn(KEY, NAMES);
      assertThat(failure.kind())
          .isIn(Kind.MALFORMED, Kind.UNSUPPORTED, Kind.UNKNOWN_KEY, Kind.WRONG_KEY, Kind.TAMPERED);
    }
    rejected(Kind.MALFORMED, KEY, copy(sealed).addProperty(KEY, ""));
    rejected(Kind.MALFORMED, KEY, copy(sealed).addProperty(KEY, "1 A256GCM k1 A256KW *"));
    rejected(Kind.UNSUPPORTED, KEY, copy(sealed).addProperty(KEY, text.replaceFirst("1", "2")));
    rejected(Kind.MALFORMED, null, copy(sealed).addProperty(KEY, 1));
    rejected(Kind.MALFORMED, null, without(sealed, NAMES));
    rejected(Kind.MALFORMED, null, without(sealed, KEY));
  }

  @Test
  void valuesDecryptOnlyAtTheirLocation() {
    TableEntity sealed = sealed(cipher, employee());
    TableEntity swapped =
        copy(sealed)
            .addProperty("Salary", sealed.getProperty("Notes"))
            .addProperty("Notes", sealed.getProperty("Salary"));
    assertThat(failure(swapped, SCOPE).kind()).isEqualTo(Kind.TAMPERED);
    rejected(Kind.TAMPERED, NAMES, moved(sealed, "p", "other"));
    rejected(Kind.TAMPERED, NAMES, moved(sealed, "other", "r"));
    rejected(Kind.TAMPERED, NAMES, moved(sealed, "pr", ""));
    EncryptionScope elsewhere = EncryptionScope.of("Staff2", SCOPE.encrypted());
    EncryptionFailure failure = failure(sealed, elsewhere);
    assertThat(failure.kind()).isEqualTo(Kind.TAMPERED);
    assertThat(failure.table()).isEqualTo("Staff2");
  }

  @Test
  void valuesOfAnotherWriteOfTheSameEntityAreRejected() {
    TableEntity before = sealed(cipher, employee());
    TableEntity after = sealed(cipher, employee());
    rejected(Kind.TAMPERED, "Notes", copy(after).addProperty("Notes", before.getProperty("Notes")));
  }

  @Test
  void aTableMayBeNamedInAnyCase() {
    EncryptionScope lower = EncryptionScope.of("staff", SCOPE.encrypted());
    TableEntity back = cipher.decrypt(lower, sealed(cipher, employee()), WHOLE).block();
    assertThat(back.getProperty("Salary")).isEqualTo("100000");
  }

  @Test
  void noncesAndContentKeysNeverRepeat() {
    Set<ByteBuffer> nonces = new HashSet<>();
    Set<Object> envelopes = new HashSet<>();
    int writes = 5_000;
    for (int i = 0; i < writes; i++) {
      TableEntity sealed = sealed(cipher, employee());
      envelopes.add(sealed.getProperty(KEY));
      for (String property : Set.of("Salary", "Notes", NAMES)) {
        nonces.add(ByteBuffer.wrap((byte[]) sealed.getProperty(property), 0, 12).slice());
      }
    }
    assertThat(envelopes).hasSize(writes);
    assertThat(nonces).hasSize(3 * writes);
  }

  @Test
  void randomEntitiesComeBackInBothFormats() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    EncryptionResolver chosen = (partition, row, name) -> name.hashCode() % 2 == 0;
    for (int i = 0; i < 500; i++) {
      TableEntity plain = new TableEntity(text(random), text(random));
      for (int p = random.nextInt(10); p > 0; p--) {
        plain.addProperty("P" + random.nextInt(100), text(random));
      }
      EncryptionScope scope =
          new EncryptionScope("T" + random.nextInt(3), chosen, random.nextBoolean());
      EntityCipher either = Format.values()[i % 2].of(KeyRing.of(key("k" + i, i)));
      TableEntity sealed = either.encrypt(scope, plain).block();
      assertThat(either.decrypt(scope, sealed, WHOLE).block().getProperties())
          .as("seed %d, entity %d", seed, i)
          .isEqualTo(plain.getProperties());
    }
  }

  private static String text(Random random) {
    return random
        .ints(random.nextInt(40), 1, 0x3000)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @ParameterizedTest
  @EnumSource
  void oldKeysDecryptAndNewWritesUseTheCurrentOne(Format format) {
    KeyRing first = KeyRing.of(key("k1", 1));
    TableEntity old = sealed(format.of(first), employee());
    EntityCipher rotated = format.of(first.rotatedTo(key("k2", 2)));
    assertThat(opened(rotated, old).getProperty("Salary")).isEqualTo("100000");
    TableEntity renewed = sealed(rotated, opened(rotated, old));
    EntityCipher newest = format.of(KeyRing.of(key("k2", 2)));
    assertThat(opened(newest, renewed).getProperty("Salary")).isEqualTo("100000");
    EncryptionFailure failure = failure(newest, old, SCOPE, WHOLE);
    assertThat(failure.kind()).isEqualTo(Kind.UNKNOWN_KEY);
    assertThat(failure.key()).isEqualTo(new EntityKey("p", "r"));
    assertThat(failure).hasMessageContaining("('p', 'r')").hasMessageContaining("'Staff'");
  }

  @ParameterizedTest
  @EnumSource
  void anotherKeyWithTheSameIdIsDetected(Format format) {
    TableEntity sealed = sealed(format.of(KeyRing.of(key("k1", 1))), employee());
    for (WrappingKey other : Set.of(key("k1", 2), AesWrappingKey.of("k1", new byte[16]))) {
      EncryptionFailure failure = failure(format.of(KeyRing.of(other)), sealed, SCOPE, WHOLE);
      assertThat(failure.kind()).isEqualTo(Kind.WRONG_KEY);
    }
  }

  @Test
  void keyIdsMayHaveAnyCharacters() {
    for (String id : Set.of("", " ", "a b  c", "https://vault/keys/k/1", "'", "schlüssel")) {
      EntityCipher cipher = EntityCipher.gcm(KeyRing.of(key(id, 1)));
      assertThat(opened(cipher, sealed(cipher, employee())).getProperty("Notes"))
          .isEqualTo("promote");
    }
  }

  @Test
  void plainEntitiesPassUnlessEncryptionIsRequired() {
    assertThat(opened(cipher, employee()).getProperties()).isEqualTo(employee().getProperties());
    EncryptionFailure failure = failure(employee(), SCOPE.requireEncryption());
    assertThat(failure.kind()).isEqualTo(Kind.NOT_ENCRYPTED);
    assertThat(failure.property()).isNull();
  }

  @Test
  void requiredEncryptionRejectsAPlainPropertyAmongEncryptedOnes() {
    TableEntity sealed = sealed(cipher, without(employee(), "Notes")).addProperty("Notes", "new");
    assertThat(opened(cipher, sealed).getProperty("Notes")).isEqualTo("new");
    EncryptionFailure failure = failure(sealed, SCOPE.requireEncryption());
    assertThat(failure.kind()).isEqualTo(Kind.NOT_ENCRYPTED);
    assertThat(failure.property()).isEqualTo("Notes");
  }

  @Test
  void entitiesWithoutChosenPropertiesGetMetadataOnlyIfRequired() {
    TableEntity plain = new TableEntity("p", "r").addProperty("Name", "Ann");
    assertThat(sealed(cipher, plain).getProperties()).doesNotContainKeys(KEY, NAMES);
    EncryptionScope required = SCOPE.requireEncryption();
    TableEntity sealed = cipher.encrypt(required, plain).block();
    assertThat(sealed.getProperties()).containsKeys(KEY, NAMES);
    assertThat(cipher.decrypt(required, sealed, WHOLE).block().getProperties())
        .isEqualTo(plain.getProperties());
  }

  @Test
  void projectionsMayLeaveEncryptedPropertiesOut() {
    TableEntity some = without(without(sealed(cipher, employee()), "Notes"), "Name");
    some.getProperties().remove("Timestamp");
    TableEntity back = cipher.decrypt(SCOPE, some, Set.of("Salary")).block();
    assertThat(back.getProperties()).containsOnlyKeys("PartitionKey", "RowKey", "Salary");
    EncryptionFailure failure = failure(cipher, some, SCOPE, Set.of("Salary", "Notes"));
    assertThat(failure.kind()).isEqualTo(Kind.MISSING);
    rejected(Kind.MISSING, "RowKey", without(sealed(cipher, employee()), "RowKey"));
    assertThat(cipher.requiredProperties()).containsOnly("PartitionKey", "RowKey", KEY, NAMES);
  }

  @Test
  void nullsAreNotEncrypted() {
    TableEntity entity = employee().addProperty("Notes", null);
    assertThat(opened(cipher, sealed(cipher, entity)).getProperties())
        .isEqualTo(entity.getProperties());
    TableEntity nothing = employee().addProperty(KEY, null).addProperty(NAMES, null);
    assertThat(opened(cipher, nothing).getProperties()).isEqualTo(employee().getProperties());
  }

  @Test
  void valuesThatCannotBeEncryptedAreRejected() {
    assertThat(encryptFailure(cipher, employee().addProperty("Salary", 100_000)).kind())
        .isEqualTo(Kind.NOT_A_STRING);
    assertThat(encryptFailure(cipher, employee().addProperty("Notes", "\ud83d")).kind())
        .isEqualTo(Kind.NOT_UNICODE);
    EncryptionFailure reserved = encryptFailure(cipher, sealed(cipher, employee()));
    assertThat(reserved.kind()).isEqualTo(Kind.RESERVED_NAME);
    KeyResolver readOnly =
        new KeyResolver() {
          @Override
          public Mono<WrappingKey> current() {
            return Mono.empty();
          }

          @Override
          public Mono<WrappingKey> find(String keyId) {
            return Mono.empty();
          }
        };
    assertThat(encryptFailure(EntityCipher.gcm(readOnly), employee()).kind())
        .isEqualTo(Kind.NO_CURRENT_KEY);
  }

  @Test
  void aStringWhoseCiphertextExceedsAPropertyIsRejected() {
    String largest = "ä".repeat((65_536 - 28) / 2);
    TableEntity sealed = sealed(cipher, employee().addProperty("Notes", largest));
    assertThat((byte[]) sealed.getProperty("Notes")).hasSize(65_536);
    assertThat(opened(cipher, sealed).getProperty("Notes")).isEqualTo(largest);
    EncryptionFailure failure =
        encryptFailure(cipher, employee().addProperty("Notes", largest + "a"));
    assertThat(failure.kind()).isEqualTo(Kind.TOO_LARGE);
    assertThat(failure.property()).isEqualTo("Notes");
    EntityCipher legacy = EntityCipher.legacy(KeyRing.of(key("k1", 1)));
    sealed(legacy, employee().addProperty("Notes", "a".repeat(65_535)));
    assertThat(encryptFailure(legacy, employee().addProperty("Notes", "a".repeat(65_536))).kind())
        .isEqualTo(Kind.TOO_LARGE);
  }

  @Test
  void mergesOfEncryptedPropertiesAreRejected() {
    EncryptionFailure failure =
        catchThrowableOfType(EncryptionFailure.class, () -> SCOPE.checkMerge(employee(), false));
    assertThat(failure.kind()).isEqualTo(Kind.MERGE);
    assertThat(failure).hasMessageContaining("replace").hasMessageContaining("'Notes'");
    TableEntity plain = new TableEntity("p", "r").addProperty("Name", "Ann");
    SCOPE.checkMerge(plain, true);
    SCOPE.requireEncryption().checkMerge(plain, false);
    assertThat(
            catchThrowableOfType(
                    EncryptionFailure.class,
                    () -> SCOPE.requireEncryption().checkMerge(plain, true))
                .kind())
        .isEqualTo(Kind.MERGE);
  }

  @Test
  void aResolverSeesKeysAndNamesAndChoosesPerEntity() {
    EncryptionScope scope =
        EncryptionScope.of(
            "T", (partition, row, name) -> row.equals("secret") && !name.equals("A"));
    TableEntity secret = new TableEntity("p", "secret").addProperty("A", "a").addProperty("B", "b");
    TableEntity open = new TableEntity("p", "open").addProperty("A", "a").addProperty("B", "b");
    assertThat(cipher.encrypt(scope, secret).block().getProperty("B")).isInstanceOf(byte[].class);
    assertThat(cipher.encrypt(scope, secret).block().getProperty("A")).isEqualTo("a");
    assertThat(cipher.encrypt(scope, open).block().getProperty("B")).isEqualTo("b");
  }

  @Test
  void aTableInConversionReadsBothFormats() {
    KeyRing keys = KeyRing.of(key("k1", 1));
    EntityCipher legacy = EntityCipher.legacy(keys);
    EntityCipher changing = cipher.alsoReading(legacy);
    TableEntity old = sealed(legacy, employee());
    assertThat(opened(changing, old).getProperties()).isEqualTo(employee().getProperties());
    TableEntity renewed = sealed(changing, opened(changing, old));
    assertThat(cipher.isEncrypted(renewed)).isTrue();
    assertThat(legacy.isEncrypted(renewed)).isFalse();
    renewed.addProperty("_ClientEncryptionMetadata1", null);
    assertThat(opened(changing, renewed).getProperties()).isEqualTo(employee().getProperties());
    assertThat(changing.requiredProperties())
        .contains(KEY, NAMES, "_ClientEncryptionMetadata1", "_ClientEncryptionMetadata2");
  }

  private static WrappingKey key(String id, int seed) {
    byte[] bytes = new byte[32];
    new Random(seed).nextBytes(bytes);
    return AesWrappingKey.of(id, bytes);
  }

  private static TableEntity employee() {
    return new TableEntity("p", "r")
        .addProperty("Name", "Ann")
        .addProperty("Salary", "100000")
        .addProperty("Notes", "promote");
  }

  private static TableEntity copy(TableEntity entity) {
    return changed(entity, UnaryOperator.identity());
  }

  private static TableEntity without(TableEntity entity, String property) {
    return changed(
        entity,
        copy -> {
          copy.getProperties().remove(property);
          return copy;
        });
  }

  private static TableEntity changed(TableEntity entity, UnaryOperator<TableEntity> change) {
    return change.apply(
        new TableEntity(entity.getPartitionKey(), entity.getRowKey())
            .setProperties(entity.getProperties()));
  }

  private static TableEntity moved(TableEntity entity, String partitionKey, String rowKey) {
    return copy(entity).addProperty("PartitionKey", partitionKey).addProperty("RowKey", rowKey);
  }

  private static TableEntity sealed(EntityCipher cipher, TableEntity entity) {
    return cipher.encrypt(SCOPE, entity).block();
  }

  private static TableEntity opened(EntityCipher cipher, TableEntity entity) {
    return cipher.decrypt(SCOPE, entity, WHOLE).block();
  }

  private void rejected(Kind kind, String property, TableEntity entity) {
    EncryptionFailure failure = failure(entity, SCOPE);
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.property()).isEqualTo(property);
  }

  private EncryptionFailure failure(TableEntity entity, EncryptionScope scope) {
    return failure(cipher, entity, scope, WHOLE);
  }

  private static EncryptionFailure failure(
      EntityCipher cipher, TableEntity entity, EncryptionScope scope, Set<String> selected) {
    EncryptionFailure failure =
        catchThrowableOfType(
            EncryptionFailure.class, () -> cipher.decrypt(scope, entity, selected).block());
    assertThat(failure).as("a failure").isNotNull();
    return failure;
  }

  private static EncryptionFailure encryptFailure(EntityCipher cipher, TableEntity entity) {
    EncryptionFailure failure =
        catchThrowableOfType(EncryptionFailure.class, () -> cipher.encrypt(SCOPE, entity).block());
    assertThat(failure).as("a failure").isNotNull();
    return failure;
  }
}
