package io.lazuli.client.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import com.microsoft.azure.keyvault.core.IKeyResolver;
import com.microsoft.azure.storage.CloudStorageAccount;
import com.microsoft.azure.storage.table.CloudTable;
import com.microsoft.azure.storage.table.DynamicTableEntity;
import com.microsoft.azure.storage.table.Encrypt;
import com.microsoft.azure.storage.table.EntityProperty;
import com.microsoft.azure.storage.table.TableEncryptionPolicy;
import com.microsoft.azure.storage.table.TableOperation;
import com.microsoft.azure.storage.table.TableQuery;
import com.microsoft.azure.storage.table.TableRequestOptions;
import com.microsoft.azure.storage.table.TableServiceEntity;
import io.lazuli.client.TestAccount;
import io.lazuli.client.encryption.EncryptionFailure.Kind;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests our codec of the legacy format against the real legacy client. */
class LegacyInteropTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final byte[] FIRST = bytes(1);
  private static final byte[] SECOND = bytes(2);
  private static final LegacyKey LEGACY_FIRST = LegacyKey.aes("first", FIRST);
  private static final KeyRing RING =
      KeyRing.of(AesWrappingKey.of("first", FIRST), AesWrappingKey.of("second", SECOND));
  private static final Set<String> WHOLE = Set.of();

  private final EntityCipher cipher = EntityCipher.legacy(RING);
  private final String name = TestAccount.uniqueName("legacy");
  private final EncryptionScope scope =
      EncryptionScope.of(name, EncryptionResolver.properties(Set.of("Secret", "Empty")));
  private TableAsyncClient ours;
  private CloudTable theirs;

  /** An entity of the legacy client, which requires annotations on both accessors. */
  public static final class Person extends TableServiceEntity {
    private String secret = "";
    private String open = "";
    private int age;

    public Person() {}

    Person(String partitionKey, String rowKey) {
      super(partitionKey, rowKey);
    }

    @Encrypt
    public String getSecret() {
      return secret;
    }

    @Encrypt
    public void setSecret(String secret) {
      this.secret = secret;
    }

    public String getOpen() {
      return open;
    }

    public void setOpen(String open) {
      this.open = open;
    }

    public int getAge() {
      return age;
    }

    public void setAge(int age) {
      this.age = age;
    }
  }

  @BeforeEach
  void createTable() throws Exception {
    ACCOUNT.tables().createTable(name).block();
    ours = ACCOUNT.tables().getTableClient(name);
    theirs =
        CloudStorageAccount.parse(ACCOUNT.connectionString())
            .createCloudTableClient()
            .getTableReference(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "plain", "Grüße, 世界 😀", "0123456789abcdef", " a,b \"c\" [d] "})
  void weReadWhatItEncryptedByAnnotation(String secret) throws Exception {
    Person person = new Person("p 'ü", "r€");
    person.setSecret(secret);
    person.setOpen("open");
    person.setAge(42);
    theirs.execute(TableOperation.insert(person), options(LEGACY_FIRST, null), null);
    TableEntity stored = ours.getEntity("p 'ü", "r€").block();
    assertThat(stored.getProperty("Secret")).isInstanceOf(byte[].class);
    TableEntity read = cipher.decrypt(scope, stored, WHOLE).block();
    assertThat(read.getProperty("Secret")).isEqualTo(secret);
    assertThat(read.getProperty("Open")).isEqualTo("open");
    assertThat(read.getProperty("Age")).isEqualTo(42);
    assertThat(read.getProperties()).doesNotContainKey("_ClientEncryptionMetadata1");
    assertThat(read.getETag()).isEqualTo(stored.getETag());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "plain", "Grüße, 世界 😀", "0123456789abcdef", " a,b \"c\" [d] "})
  void itReadsWhatWeEncrypted(String secret) throws Exception {
    TableEntity plain =
        new TableEntity("p 'ü", "r€")
            .addProperty("Secret", secret)
            .addProperty("Open", "open")
            .addProperty("Age", 42);
    ours.createEntity(cipher.encrypt(scope, plain).block()).block();
    Person read =
        theirs
            .execute(
                TableOperation.retrieve("p 'ü", "r€", Person.class),
                options(LEGACY_FIRST, null),
                null)
            .getResultAsType();
    assertThat(read.getSecret()).isEqualTo(secret);
    assertThat(read.getOpen()).isEqualTo("open");
    assertThat(read.getAge()).isEqualTo(42);
  }

  @Test
  void weReadWhatItEncryptedByResolverAmongPropertiesOfAllTypes() throws Exception {
    UUID id = UUID.randomUUID();
    HashMap<String, EntityProperty> properties = new HashMap<>();
    properties.put("Secret", new EntityProperty("first secret"));
    properties.put("Empty", new EntityProperty(""));
    properties.put("Open", new EntityProperty("open"));
    properties.put("Long", new EntityProperty(1L << 40));
    properties.put("Double", new EntityProperty(0.5));
    properties.put("Guid", new EntityProperty(id));
    properties.put("Bytes", new EntityProperty(new byte[] {1, 2}));
    DynamicTableEntity entity = new DynamicTableEntity("p", "r", properties);
    TableRequestOptions options = options(LEGACY_FIRST, null);
    options.setEncryptionResolver(
        (partition, row, key) -> key.equals("Secret") || key.equals("Empty"));
    theirs.execute(TableOperation.insertOrReplace(entity), options, null);
    TableEntity read = cipher.decrypt(scope, ours.getEntity("p", "r").block(), WHOLE).block();
    assertThat(read.getProperties())
        .containsEntry("Secret", "first secret")
        .containsEntry("Empty", "")
        .containsEntry("Open", "open")
        .containsEntry("Long", 1L << 40)
        .containsEntry("Double", 0.5)
        .containsEntry("Guid", id)
        .containsEntry("Bytes", new byte[] {1, 2});
  }

  @Test
  void severalKeysAreFoundByIdOnBothSides() throws Exception {
    IKeyResolver resolver =
        LegacyKey.resolver(
            Map.of("first", LEGACY_FIRST, "second", LegacyKey.aes("second", SECOND)));
    for (String id : Set.of("first", "second")) {
      byte[] bytes = id.equals("first") ? FIRST : SECOND;
      Person person = new Person("theirs", id);
      person.setSecret("of " + id);
      theirs.execute(TableOperation.insert(person), options(LegacyKey.aes(id, bytes), null), null);
      EntityCipher writer = EntityCipher.legacy(RING.rotatedTo(AesWrappingKey.of(id, bytes)));
      TableEntity plain = new TableEntity("ours", id).addProperty("Secret", "of " + id);
      ours.createEntity(writer.encrypt(scope, plain).block()).block();
    }
    for (String id : Set.of("first", "second")) {
      TableEntity read = cipher.decrypt(scope, ours.getEntity("theirs", id).block(), WHOLE).block();
      assertThat(read.getProperty("Secret")).isEqualTo("of " + id);
    }
    TableQuery<Person> query = TableQuery.from(Person.class).select(new String[] {"Secret"});
    for (Person person : theirs.execute(query, options(null, resolver), null)) {
      assertThat(person.getSecret()).isEqualTo("of " + person.getRowKey());
    }
    assertThat(theirs.execute(query, options(null, resolver), null)).hasSize(4);
  }

  @Test
  void anUnknownKeyIsReported() throws Exception {
    Person person = new Person("p", "r");
    person.setSecret("secret");
    theirs.execute(
        TableOperation.insert(person), options(LegacyKey.aes("third", bytes(3)), null), null);
    TableEntity stored = ours.getEntity("p", "r").block();
    EncryptionFailure failure =
        catchThrowableOfType(
            EncryptionFailure.class, () -> cipher.decrypt(scope, stored, WHOLE).block());
    assertThat(failure.kind()).isEqualTo(Kind.UNKNOWN_KEY);
    EntityCipher wrong = EntityCipher.legacy(KeyRing.of(AesWrappingKey.of("third", FIRST)));
    assertThat(
            catchThrowableOfType(
                    EncryptionFailure.class, () -> wrong.decrypt(scope, stored, WHOLE).block())
                .kind())
        .isEqualTo(Kind.WRONG_KEY);
  }

  @Test
  void rsaKeysAndShorterAesKeysWorkBothWays() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair pair = generator.generateKeyPair();
    byte[] shorter = Arrays.copyOf(FIRST, 16);
    Map<WrappingKey, LegacyKey> keys =
        Map.of(
            RsaWrappingKey.of("rsa", pair),
            new LegacyKey("rsa", "RSA-OAEP", pair.getPublic(), pair.getPrivate()),
            AesWrappingKey.of("short", shorter),
            LegacyKey.aes("short", shorter));
    for (Map.Entry<WrappingKey, LegacyKey> key : keys.entrySet()) {
      EntityCipher ourCipher = EntityCipher.legacy(KeyRing.of(key.getKey()));
      Person person = new Person("theirs", key.getKey().id());
      person.setSecret("secret");
      TableRequestOptions options = options(key.getValue(), null);
      theirs.execute(TableOperation.insert(person), options, null);
      TableEntity stored = ours.getEntity("theirs", key.getKey().id()).block();
      TableEntity read = ourCipher.decrypt(scope, stored, WHOLE).block();
      assertThat(read.getProperty("Secret")).isEqualTo("secret");
      TableEntity plain = new TableEntity("ours", key.getKey().id()).addProperty("Secret", "too");
      ours.createEntity(ourCipher.encrypt(scope, plain).block()).block();
      TableOperation retrieve = TableOperation.retrieve("ours", key.getKey().id(), Person.class);
      Person back = theirs.execute(retrieve, options, null).getResultAsType();
      assertThat(back.getSecret()).isEqualTo("too");
    }
  }

  @Test
  void legacyEntitiesWithoutPropertiesAreRead() throws Exception {
    theirs.execute(
        TableOperation.insert(new DynamicTableEntity("p", "r")), options(LEGACY_FIRST, null), null);
    TableEntity read = cipher.decrypt(scope, ours.getEntity("p", "r").block(), WHOLE).block();
    assertThat(read.getProperties()).doesNotContainKey("_ClientEncryptionMetadata1");
  }

  /** .NET puts the row key first, lists names as JSON and identifies itself by another name. */
  @Test
  void weReadTheOrderOfTheDotNetClient() throws Exception {
    byte[] content = bytes(9);
    byte[] vector = Arrays.copyOf(bytes(8), 16);
    String wrapped =
        Base64.getEncoder().encodeToString(RING.current().block().wrap(content).block());
    String metadata =
        """
        {"WrappedContentKey":{"KeyId":"first","EncryptedKey":"%s","Algorithm":"A256KW"},
         "EncryptionAgent":{"Protocol":"1.0","EncryptionAlgorithm":"AES_CBC_256"},
         "ContentEncryptionIV":"%s","KeyWrappingMetadata":{"EncryptionLibrary":".NET 9.3.2"}}"""
            .formatted(wrapped, Base64.getEncoder().encodeToString(vector));
    TableEntity stored =
        new TableEntity("part", "row")
            .addProperty("Secret", dotNet(content, vector, "Secret", "Grüße"))
            .addProperty("Empty", dotNet(content, vector, "Empty", ""))
            .addProperty("_ClientEncryptionMetadata1", metadata)
            .addProperty(
                "_ClientEncryptionMetadata2",
                dotNet(content, vector, "_ClientEncryptionMetadata2", "[\"Secret\",\"Empty\"]"));
    TableEntity read = cipher.decrypt(scope, stored, WHOLE).block();
    assertThat(read.getProperty("Secret")).isEqualTo("Grüße");
    assertThat(read.getProperty("Empty")).isEqualTo("");
  }

  private static byte[] dotNet(byte[] key, byte[] vector, String property, String text)
      throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(vector);
    digest.update(("row" + "part" + property).getBytes(StandardCharsets.UTF_8));
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    cipher.init(
        Cipher.ENCRYPT_MODE,
        new SecretKeySpec(key, "AES"),
        new IvParameterSpec(digest.digest(), 0, 16));
    return cipher.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void unreadableMetadataIsRejected() {
    TableEntity plain = new TableEntity("p", "r").addProperty("Secret", "s");
    TableEntity sealed = cipher.encrypt(scope, plain).block();
    String json = (String) sealed.getProperty("_ClientEncryptionMetadata1");
    Map<String, Kind> changes =
        Map.of(
            "not json",
            Kind.MALFORMED,
            "[]",
            Kind.MALFORMED,
            "{}",
            Kind.MALFORMED,
            json.replace("\"1.0\"", "\"2.0\""),
            Kind.UNSUPPORTED,
            json.replace("AES_CBC_256", "AES_GCM_256"),
            Kind.UNSUPPORTED,
            json.replace("\"KeyId\"", "\"Id\""),
            Kind.MALFORMED,
            json.replace("\"EncryptedKey\":\"", "\"EncryptedKey\":\"*"),
            Kind.MALFORMED,
            json.replace("EncryptionIV", "EncryptionIw"),
            Kind.MALFORMED);
    changes.forEach(
        (text, kind) -> {
          sealed.addProperty("_ClientEncryptionMetadata1", text);
          EncryptionFailure failure =
              catchThrowableOfType(
                  EncryptionFailure.class, () -> cipher.decrypt(scope, sealed, WHOLE).block());
          assertThat(failure).as(text).isNotNull();
          assertThat(failure.kind()).as(text).isEqualTo(kind);
        });
  }

  private static TableRequestOptions options(LegacyKey key, IKeyResolver resolver) {
    TableRequestOptions options = new TableRequestOptions();
    options.setEncryptionPolicy(new TableEncryptionPolicy(key, resolver));
    return options;
  }

  private static byte[] bytes(int each) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) each);
    return bytes;
  }
}
