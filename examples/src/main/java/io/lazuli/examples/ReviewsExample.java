package io.lazuli.examples;

import static io.lazuli.client.pattern.key.KeyPart.literal;
import static io.lazuli.client.pattern.key.KeyPart.number;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.key.KeyFormat;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import java.util.List;
import java.util.Optional;

/**
 * The annual reviews of the Table Design Guide: the row key consists of employee and year, so that
 * the reviews of an employee are adjacent. Takes a connection string.
 */
public final class ReviewsExample {
  /** {@code empid_000123_2012} as a row key. */
  public record ReviewId(int employee, int year) {}

  // snippet
  private static final KeyFormat<ReviewId> IDS =
      KeyFormat.of(ReviewId.class, literal("empid"), number(6), number(4));

  // end

  /** A review. Comments are long and not always needed. */
  public record Review(
      @PartitionKey String department,
      @RowKey String id,
      int managerRating,
      Optional<String> comments) {}

  private final Table<Review> table;

  public ReviewsExample(Account account) {
    table = Table.of(account.table("Reviews"), Review.class);
  }

  public static void main(String[] args) {
    ReviewsExample example = new ReviewsExample(Account.of(args));
    for (int year = 2009; year <= 2012; year++) {
      example.review("Sales", new ReviewId(123, year), year - 2006, "Fine work.");
      example.review("Sales", new ReviewId(124, year), 3, "As ever.");
    }
    System.out.println(example.ratings("Sales", 123));
  }

  public void review(String department, ReviewId id, int rating, String comments) {
    table.upsertReplace(new Review(department, IDS.format(id), rating, Optional.of(comments)));
  }

  public Table<Review> reviews() {
    return table;
  }

  /** All reviews of an employee, without their comments. */
  public static Query ofEmployee(String department, int employee) {
    // snippet
    Query ratings = IDS.query(department, employee).select("ManagerRating");
    // end
    return ratings;
  }

  /** Returns the ratings of an employee, year by year. */
  public List<Integer> ratings(String department, int employee) {
    return table.query(ofEmployee(department, employee)).map(Review::managerRating).toList();
  }
}
