package io.lazuli.server.load;

/**
 * An hour of a shop whose developers know how tables work: customers, orders, sessions, a catalogue
 * of products, logs, queues with workers, pictures in blobs. It has a rush, a product that is
 * famous for a minute, searches that read a table now and then, an import and an export.
 */
final class HealthyHour implements LoadSimulation.Work {
  private static final int MINUTE = 60;

  private long second;

  @Override
  public void run(LoadSimulation c) {
    boolean isNewSecond = second != c.seconds();
    second = c.seconds();
    // A mail to all customers brings four times the visitors for three minutes.
    double rush = isWithin(20, 23) ? 4 : 1;
    shop(c, rush);
    logs(c);
    queues(c, rush);
    blobs(c, rush);
    famous(c);
    importPrices(c);
    exportInvoices(c);
    if (isNewSecond) {
      searches(c);
      timers(c);
    }
  }

  private boolean isWithin(int fromMinute, int toMinute) {
    return second >= (long) fromMinute * MINUTE && second < (long) toMinute * MINUTE;
  }

  private static String customer(LoadSimulation c) {
    return "c" + (10_000 + c.skewed(20_000) * 7_919L % 20_000);
  }

  private static String product(LoadSimulation c) {
    return "p" + (1_000 + c.skewed(4_000) * 1_237L % 4_000);
  }

  private static void shop(LoadSimulation c, double rush) {
    for (int i = c.times(40 * rush); i > 0; i--) {
      c.read("Customers", customer(c), "profile");
    }
    for (int i = c.times(60 * rush); i > 0; i--) {
      c.read("Products", product(c), "details");
    }
    for (int i = c.times(6 * rush); i > 0; i--) {
      String customer = customer(c);
      c.insert("Orders", customer, "o" + c.now().toEpochMilli());
      c.table(query("Orders", "range", "PartitionKey eq ? and RowKey ge ?", customer, 20, 20));
    }
    for (int i = c.times(4 * rush); i > 0; i--) {
      c.table(query("Orders", "partition scan", "PartitionKey eq ?", customer(c), 35, 35));
    }
    for (int i = c.times(25 * rush); i > 0; i--) {
      LoadRequest write =
          LoadRequest.write("MergeEntity", "Sessions", "h" + c.random(256), "s" + c.random(5_000));
      c.table(c.random(100) == 0 ? write.answered(412) : write);
    }
    for (int i = c.times(60); i > 0; i--) {
      // Each request is for one of 24 parts, and one server asks all of them.
      String part = "part-" + c.random(24);
      c.table(query("Carts", "range", "PartitionKey eq ? and RowKey ge ?", part, 5, 5));
    }
    for (int i = c.times(5); i > 0; i--) {
      // Each of five servers reads its settings every second.
      c.read("Settings", "shop", "current");
    }
    for (int i = c.times(1); i > 0; i--) {
      // Descriptions are a few kilobytes; now and then one is long.
      LoadRequest text =
          LoadRequest.write("InsertOrReplaceEntity", "Descriptions", product(c), "text");
      text.bytesIn = c.random(60) == 0 ? 300_000 : 3_000;
      c.table(text);
    }
    for (int i = c.times(0.5); i > 0; i--) {
      // A basket is three products.
      LoadRequest basket =
          query("Products", "seeks(3)", "(keys) or (keys) or (keys)", product(c), 3, 3);
      basket.partitions = 3;
      c.table(basket);
    }
  }

  private static LoadRequest query(
      String table, String plan, String shape, String partition, long read, long returned) {
    LoadRequest query = LoadRequest.query(table, plan, shape, partition, read, returned);
    query.partitions = plan.equals("table scan") ? 0 : 1;
    return query;
  }

  private static void logs(LoadSimulation c) {
    for (int i = c.times(8); i > 0; i--) {
      c.insert("Audit", "service-" + c.random(10) + "-20261118", "e" + c.now().toEpochMilli());
    }
    for (int i = c.times(0.1); i > 0; i--) {
      c.insert("Heartbeats", c.now().toString().substring(0, 13), "h" + c.now().toEpochMilli());
    }
  }

  private void queues(LoadSimulation c, double rush) {
    for (int i = c.times(6 * rush); i > 0; i--) {
      c.put("orders");
    }
    for (int i = c.times(5); i > 0; i--) {
      c.consume("orders", 16);
    }
    if (second % (10 * MINUTE) == 0) {
      // Newsletters come all at once, and their worker takes three minutes.
      for (int i = c.times(300); i > 0; i--) {
        c.put("newsletters");
      }
    }
    for (int i = c.times(2); i > 0; i--) {
      c.consume("newsletters", 1);
    }
    for (int i = c.times(0.05); i > 0; i--) {
      c.put("reports");
    }
  }

  private static void blobs(LoadSimulation c, double rush) {
    for (int i = c.times(30 * rush); i > 0; i--) {
      LoadRequest get = LoadRequest.blob("GetBlob", "pictures", product(c) + ".jpg");
      get.bytesOut = 80_000;
      c.blob(get);
    }
    for (int i = c.times(1); i > 0; i--) {
      LoadRequest put = LoadRequest.blob("PutBlob", "uploads", "u" + c.now().toEpochMilli());
      put.bytesIn = 2_000_000;
      c.blob(put.answered(201));
    }
    for (int i = c.times(2); i > 0; i--) {
      c.blob(LoadRequest.blob("AppendBlock", "logs", "2026/11/18/shop.log").answered(201));
    }
    for (int i = c.times(0.1); i > 0; i--) {
      c.blob(LoadRequest.blob("ListBlobs", "uploads", ""));
    }
  }

  /** A product is on television. */
  private void famous(LoadSimulation c) {
    if (second >= 50 * MINUTE && second < 50 * MINUTE + 75) {
      for (int i = c.times(250); i > 0; i--) {
        c.read("Products", "p1042", "details");
      }
    }
  }

  /** Eight workers write the prices of 64 groups, a partition for each group and day. */
  private void importPrices(LoadSimulation c) {
    if (isWithin(30, 42)) {
      for (int i = c.times(5); i > 0; i--) {
        String group = "g%02d".formatted(second % (12 * MINUTE) / 90 + 8L * c.random(8));
        c.table(LoadRequest.batch("Prices", group + "-20261118", 100));
      }
    }
    for (int i = c.times(10); i > 0; i--) {
      c.read("Prices", "g%02d-20261117".formatted(c.random(64)), "price" + c.random(9_999));
    }
  }

  /** An export reads all invoices and returns what it reads. */
  private void exportInvoices(LoadSimulation c) {
    if (isWithin(5, 20)) {
      String at = "c%04d".formatted((second - 5 * MINUTE) % 900);
      for (int i = c.times(6); i > 0; i--) {
        LoadRequest page = query("Invoices", "table scan", "", at, 1_000, 1_000);
        page.bytesOut = 400_000;
        c.table(page);
      }
    }
    for (int i = c.times(10); i > 0; i--) {
      c.read("Invoices", "c%04d".formatted(c.random(900)), "i");
    }
  }

  /** Support searches an order every five minutes, and a job counts customers twice an hour. */
  private void searches(LoadSimulation c) {
    if (second % (5 * MINUTE) == 100) {
      for (int page = 0; page < 10; page++) {
        String at = page == 0 ? "" : "c%05d".formatted(page * 2_000);
        c.table(query("Orders", "table scan", "InvoiceNumber eq ?", at, 1_000, page / 9));
      }
    }
    if (second % (30 * MINUTE) >= 600 && second % (30 * MINUTE) < 620) {
      String at = "c%05d".formatted((second % (30 * MINUTE) - 600) * 1_000);
      c.table(query("Customers", "table scan", "", at, 1_000, 1_000));
    }
  }

  private void timers(LoadSimulation c) {
    if (second % (4 * MINUTE) == 30) {
      c.consume("reports", 32);
    }
    if (second == 40 * MINUTE) {
      // One message in an hour could not be handled.
      c.put("orders-poison");
    }
  }
}
