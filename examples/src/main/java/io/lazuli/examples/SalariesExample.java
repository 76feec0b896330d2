package io.lazuli.examples;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.encryption.AesWrappingKey;
import io.lazuli.client.encryption.EncryptedCodec;
import io.lazuli.client.encryption.EncryptionFailure;
import io.lazuli.client.encryption.EntityCipher;
import io.lazuli.client.encryption.KeyRing;
import io.lazuli.client.entity.Encrypted;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.table.Table;
import java.security.SecureRandom;
import java.util.Objects;

/**
 * Encryption in the client: the service stores the salary as bytes that it cannot read. A program
 * without the key cannot read it either. Takes a connection string.
 */
public final class SalariesExample {
  /** Only the salary is secret; queries can use the other properties. */
  public record Salary(
      @PartitionKey String department,
      @RowKey String id,
      String lastName,
      @Encrypted String amount) {}

  private static final String TABLE = "SecretSalaries";
  private static final EntityKey JONES = new EntityKey("Sales", "000123");

  private final TableAsyncClient client;

  public SalariesExample(Account account) {
    client = account.table(TABLE);
  }

  public static void main(String[] args) {
    SalariesExample example = new SalariesExample(Account.of(args));
    Table<Salary> salaries = example.table(newKey("key-1"));
    salaries.upsertReplace(new Salary("Sales", "000123", "Jones", "52,000"));
    System.out.println("with the key: " + salaries.find(JONES).orElseThrow().amount());
    System.out.println("stored as: " + example.storedAs());
    try {
      example.table(newKey("key-2")).find(JONES);
    } catch (EncryptionFailure e) {
      System.out.println("with another key: " + e.kind());
    }
  }

  /** In production, open a key store: {@code KeyRing.open(file, password, "key-1")}. */
  private static KeyRing newKey(String id) {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    return KeyRing.of(AesWrappingKey.of(id, key));
  }

  public Table<Salary> table(KeyRing keys) {
    EntityCodec<Salary> codec =
        EncryptedCodec.of(EntityCodec.of(Salary.class), EntityCipher.gcm(keys), TABLE);
    return Table.of(client, codec);
  }

  /** Returns what a program sees that does not use the library. */
  private String storedAs() {
    Object stored =
        client.getEntity("Sales", "000123").blockOptional().orElseThrow().getProperty("Amount");
    return Objects.requireNonNull(stored).getClass().getSimpleName();
  }
}
