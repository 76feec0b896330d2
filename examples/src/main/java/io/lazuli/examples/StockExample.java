package io.lazuli.examples;

import io.lazuli.client.entity.ETag;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.table.ConditionNotMet;
import io.lazuli.client.table.Table;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Optimistic concurrency: nobody waits for a lock. A write is refused if the entity has changed
 * since it was read, and an update then starts over, so that no change is lost. Takes a connection
 * string. {@code PayrollExample} shows the pessimistic way.
 */
public final class StockExample {
  /** An article. The ETag says which version was read. */
  public record Article(
      @PartitionKey String shop, @RowKey String id, int stock, @ETag @Nullable String eTag) {
    Article minus(int sold) {
      return new Article(shop, id, stock - sold, eTag);
    }
  }

  private static final EntityKey LAMP = new EntityKey("Berlin", "lamp");
  private static final int BUYERS = 8;

  private final Table<Article> articles;

  public StockExample(Account account) {
    articles = Table.of(account.table("Articles"), Article.class);
  }

  public static void main(String[] args) {
    StockExample example = new StockExample(Account.of(args));
    example.articles.upsertReplace(new Article("Berlin", "lamp", 100, null));
    System.out.println("stale write accepted: " + example.isStaleWriteAccepted());
    example.sellToManyAtOnce();
    System.out.println("left: " + example.stock());
  }

  /** Two clients read the same version. The second write is refused and changes nothing. */
  public boolean isStaleWriteAccepted() {
    Article mine = articles.find(LAMP).orElseThrow();
    Article theirs = articles.find(LAMP).orElseThrow();
    articles.replace(theirs.minus(1));
    try {
      articles.replace(mine.minus(1));
      return true;
    } catch (ConditionNotMet e) {
      return false;
    }
  }

  /** Each buyer reads, changes and replaces, and starts over if another buyer was faster. */
  public void sellToManyAtOnce() {
    IntStream.range(0, BUYERS)
        .parallel()
        .forEach(buyer -> articles.update(LAMP, article -> article.minus(1)));
  }

  public int stock() {
    return articles.find(LAMP).orElseThrow().stock();
  }
}
