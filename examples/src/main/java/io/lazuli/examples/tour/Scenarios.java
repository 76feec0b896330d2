package io.lazuli.examples.tour;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.examples.Account;
import io.lazuli.examples.ChatCountsExample;
import io.lazuli.examples.DepartmentsExample;
import io.lazuli.examples.EmployeesExample;
import io.lazuli.examples.ExpenseClaimsExample;
import io.lazuli.examples.LoginAttemptsExample;
import io.lazuli.examples.PhotosExample;
import io.lazuli.examples.ReviewsExample;
import io.lazuli.examples.TransfersExample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The chapters of the tour before the crash: one for each example. */
final class Scenarios {
  private static final int EMPLOYEES_EACH = 250;
  private static final int PHOTO_BYTES = 300 << 10;

  private Scenarios() {}

  static void walk(Narrator narrator, Account account) {
    employees(narrator, new EmployeesExample(account));
    departments(narrator, new DepartmentsExample(account));
    transfers(narrator, new TransfersExample(account));
    reviews(narrator, new ReviewsExample(account));
    expenseClaims(narrator, new ExpenseClaimsExample(account));
    loginAttempts(narrator, new LoginAttemptsExample(account));
    chatCounts(narrator, new ChatCountsExample(account));
    photos(narrator, new PhotosExample(account));
  }

  private static void employees(Narrator narrator, EmployeesExample example) {
    narrator.chapter(
        "Employees: the four kinds of query",
        "The keys are the only index. The conditions on them determine the cost of a query."
            + " explain() returns the kind before it is sent; the server reports how many entities it"
            + " read.");
    narrator.step(
        "hire 1,000 employees, in batches of up to 100",
        () -> example.hire(EMPLOYEES_EACH) + " stored");
    narrator.queryHeadings();
    List<Query> queries = EmployeesExample.queries();
    queries.forEach(query -> narrator.query(example.employees(), query));
    narrator.say("explain() of the last: " + queries.get(queries.size() - 1).explain().advice());

    narrator.chapter(
        "Employees: an index within the partition",
        "To find employees by e-mail address without a scan, store a copy under a second key in the"
            + " same transaction: readers never see one without the other.");
    narrator.step(
        "insert Jones with a copy by e-mail address",
        () -> example.hireIndexed(EmployeesExample.employee("Sales", 223, "Jones")));
    narrator.step(
        "find by e-mail address",
        () -> example.byEmail("Sales", "Jones223@contoso.com").orElseThrow().id());
    narrator.step(
        "change the name, in both copies",
        () -> example.marry(new EntityKey("Sales", "000223"), "Miller").lastName());
  }

  private static void departments(Narrator narrator, DepartmentsExample example) {
    narrator.chapter(
        "Departments: a count and details of the manager in the department",
        "One request then shows the department, the number of its employees and its manager's"
            + " address. The transaction that changes an employee writes both, so they agree.");
    example.found("Sales");
    example.hire("Sales", "000101", "Kwok");
    narrator.step(
        "hire Cao: the employee and the count",
        () -> example.hire("Sales", "000102", "Cao") ? "hired" : "existed already");
    narrator.step("make Cao the manager", () -> example.appoint("Sales", "000102"));
    narrator.step(
        "change the manager's address: the employee and the department",
        () -> example.changeEmail("Sales", "000102", "jun@contoso.com"));
    narrator.step(
        "read the department",
        () -> {
          DepartmentsExample.Department sales = example.department("Sales");
          return sales.employeeCount() + " employees, " + sales.managerEmail().orElse("nobody");
        });
  }

  private static void transfers(Narrator narrator, TransfersExample example) {
    narrator.chapter(
        "Transfers: changes that no transaction can span",
        "Another partition or another table: the change is first announced in a queue, then"
            + " written; a worker makes the other changes. Wherever one of them dies, the other"
            + " finishes.");
    narrator.step(
        "hire Jones",
        () -> example.hire(new TransfersExample.Employee("Sales", "000223", "jones@contoso.com")));
    narrator.step("worker: the index across departments", () -> example.work() + " message");
    narrator.step(
        "Jones goes to Marketing", () -> example.transfer("Sales", "000223", "Marketing"));
    narrator.step("worker: the move, and the index", () -> example.work() + " message");
    narrator.step(
        "find by e-mail address in all departments",
        () -> example.byEmail("jones@contoso.com").orElseThrow().department());
    narrator.step("Jones leaves", () -> example.leave("Marketing", "000223"));
    narrator.step("worker: to the archive, out of the index", () -> example.work() + " message");
    narrator.step(
        "read from the archive", () -> example.former("Marketing", "000223").orElseThrow().email());
  }

  private static void reviews(Narrator narrator, ReviewsExample example) {
    narrator.chapter(
        "Reviews: compound keys",
        "Employee and year together are the row key, so the reviews of an employee are adjacent:"
            + " a range query with select reads them without transferring the comments.");
    for (int year = 2009; year <= 2012; year++) {
      for (int employee = 120; employee < 128; employee++) {
        ReviewsExample.ReviewId id = new ReviewsExample.ReviewId(employee, year);
        example.review("Sales", id, year - 2006, "Fine work.");
      }
    }
    narrator.queryHeadings();
    narrator.query(example.reviews(), ReviewsExample.ofEmployee("Sales", 123));
    narrator.step("ratings of employee 123", () -> example.ratings("Sales", 123));
  }

  private static void expenseClaims(Narrator narrator, ExpenseClaimsExample example) {
    narrator.chapter(
        "Expense claims: the newest first",
        "Tables sort ascending. With the time until the year 9999 as row key, the newest claims are"
            + " the first rows, however many there are.");
    for (int amount = 1; amount <= 30; amount++) {
      example.claim("000123", amount);
    }
    narrator.step(
        "the last ten of 30 claims",
        () -> example.lastTen("000123").stream().map(ExpenseClaimsExample.Claim::amount).toList());
  }

  private static void loginAttempts(Narrator narrator, LoginAttemptsExample example) {
    narrator.chapter(
        "Login attempts: a table for each day",
        "Old days are deleted with their tables, however many attempts they contain.");
    Instant now = Instant.now();
    for (int day = 0; day < 4; day++) {
      example.attempt("jones", now.minus(Duration.ofDays(day)));
      example.attempt("smith", now.minus(Duration.ofDays(day)));
    }
    narrator.step(
        "count the attempts of Jones on five days",
        () -> example.count("jones", now.minus(Duration.ofDays(4)), now));
    narrator.step(
        "drop all days before yesterday",
        () -> example.dropBefore(now.minus(Duration.ofDays(1))) + " tables deleted");
    narrator.step(
        "a late attempt for a dropped day",
        () ->
            example.attempt("jones", now.minus(Duration.ofDays(3)))
                ? "stored"
                : "rejected for ever");
  }

  private static void chatCounts(Narrator narrator, ChatCountsExample example) {
    narrator.chapter(
        "Chat counts: a series in one entity",
        "A property for each hour: one request reads the day, where 24 entities would take a scan.");
    for (int hour = 8; hour < 18; hour++) {
      example.set("jones", "2026-07-31", hour, hour * hour % 17);
    }
    narrator.step(
        "count 3 more messages at 9", () -> example.add("jones", "2026-07-31", 9, 3) + " now");
    narrator.step("read the day", () -> example.day("jones", "2026-07-31"));
  }

  private static void photos(Narrator narrator, PhotosExample example) {
    narrator.chapter(
        "Photos: large values in blobs",
        "An entity can have 1 MiB, a property 64 KiB. The blob is stored first, then the"
            + " entity that names it: a reader never finds an address without a photo.");
    narrator.step(
        "store a photo of 300 KiB", () -> example.put("Sales", "000123", new byte[PHOTO_BYTES]));
    narrator.step("replace it", () -> example.put("Sales", "000123", new byte[PHOTO_BYTES + 1]));
    narrator.step("read it", () -> example.bytes("Sales", "000123") + " bytes");
    example.abandon("Sales", "000124", new byte[PHOTO_BYTES]);
    narrator.step(
        "remove orphaned blobs older than an hour", () -> example.collectOrphans() + " removed");
    narrator.step(
        "remove orphaned blobs older than a second", () -> example.collectSoon() + " removed");
  }
}
