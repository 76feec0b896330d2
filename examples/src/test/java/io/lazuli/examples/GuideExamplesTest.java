package io.lazuli.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.junit.LazuliExtension;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The guide's scenarios run, print the expected output, and can be run a second time. */
@ExtendWith(LazuliExtension.class)
class GuideExamplesTest {
  private static final String DAY = "[0, 0, 0, 0, 0, 0, 0, 0, 0, 5" + ", 0".repeat(14) + "]\n";

  @Test
  void employees(LazuliServer server) throws Exception {
    assertTwice(
        EmployeesExample::main,
        server,
        "POINT: 1\nROW_RANGE: 10\nPARTITION: 4\nTABLE: 16\nJones\n");
  }

  @Test
  void departments(LazuliServer server) throws Exception {
    assertTwice(DepartmentsExample::main, server, "2 employees, jun@contoso.com\n");
  }

  @Test
  void transfers(LazuliServer server) throws Exception {
    assertTwice(TransfersExample::main, server, "Marketing\njones@contoso.com\n");
  }

  @Test
  void reviews(LazuliServer server) throws Exception {
    assertTwice(ReviewsExample::main, server, "[3, 4, 5, 6]\n");
  }

  @Test
  void expenseClaims(LazuliServer server) throws Exception {
    assertTwice(ExpenseClaimsExample::main, server, "[12, 11, 10, 9, 8, 7, 6, 5, 4, 3]\n");
  }

  @Test
  void loginAttempts(LazuliServer server) throws Exception {
    assertThat(printed(LoginAttemptsExample::main, server)).isEqualTo("2 are left\n");
    assertThat(printed(LoginAttemptsExample::main, server))
        .as("also the attempts of the second run, except on dropped days")
        .isEqualTo("4 are left\n");
  }

  @Test
  void chatCounts(LazuliServer server) throws Exception {
    assertTwice(ChatCountsExample::main, server, DAY);
  }

  @Test
  void photos(LazuliServer server) throws Exception {
    assertTwice(
        PhotosExample::main,
        server,
        "307200 bytes\n0 orphans older than an hour removed\n1 older than a second\n");
  }

  @Test
  void firstPrograms(LazuliServer server) throws Exception {
    assertTwice(FirstProgram::main, server, "Jones\n");
    assertTwice(
        FirstTypedProgram::main,
        server,
        "Employee[department=Sales, id=000123, lastName=Jones, age=30]\n");
  }

  @Test
  void lastNames(LazuliServer server) throws Exception {
    assertTwice(
        LastNamesExample::main,
        server,
        """
        Jones: [000152, 000223]
        Jones: [000152, 000223, 000301]
        Smith: []
        """);
  }

  @Test
  void dailySales(LazuliServer server) throws Exception {
    assertTwice(DailySalesExample::main, server, "36407\n");
  }

  @Test
  void floors(LazuliServer server) throws Exception {
    assertTwice(FloorsExample::main, server, "Hall: floor 2\nJones: floor 1\nCao: unknown floor\n");
  }

  @Test
  void events(LazuliServer server) throws Exception {
    assertTwice(
        EventsExample::main,
        server,
        """
        [000120, 000121, 000122, 000123, 000124, 000125, 000126, 000127]
        4 partitions
        """);
  }

  @Test
  void ownRows(LazuliServer server) throws Exception {
    assertTwice(
        OwnRowsExample::main,
        server,
        """
        [taxi, hotel]
        reads the note of kim: false
        changes the note of kim: false
        """);
  }

  @Test
  void accessLog(LazuliServer server) throws Exception {
    assertTwice(
        AccessLogExample::main, server, "employee 000123 logged in\nemployee 000123 logged out\n");
  }

  @Test
  void salaries(LazuliServer server) throws Exception {
    assertTwice(
        SalariesExample::main,
        server,
        """
        with the key: 52,000
        stored as: byte[]
        with another key: UNKNOWN_KEY
        """);
  }

  @Test
  void stock(LazuliServer server) throws Exception {
    assertTwice(StockExample::main, server, "stale write accepted: false\nleft: 91\n");
  }

  @Test
  void payroll(LazuliServer server) throws Exception {
    assertTwice(PayrollExample::main, server, "1100\nfree while a run holds the lock: false\n");
  }

  @Test
  void orderNumbers(LazuliServer server) throws Exception {
    assertTwice(
        OrderNumbersExample::main, server, "the next order is greater: true\ninvoices 1, 2\n");
  }

  @Test
  void keyDesign(LazuliServer server) throws Exception {
    assertThat(printed(KeyDesignExample::main, server))
        .contains("by the hour: \nAppend pattern. 100 %")
        .contains("in one partition: \nSingle hot partition. 100 %")
        .contains("docs/patterns/spread.md")
        .endsWith("spread by employee: fine\n");
  }

  private static void assertTwice(Consumer<String[]> program, LazuliServer server, String text)
      throws Exception {
    assertThat(printed(program, server)).isEqualTo(text);
    assertThat(printed(program, server)).as("the second time").isEqualTo(text);
  }

  private static String printed(Consumer<String[]> program, LazuliServer server) throws Exception {
    return ExamplesTest.printed(program::accept, server);
  }
}
