package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A model in a real browser: accesses, proposal, trial, code. */
class ModelIT {
  @Test
  void accessesBecomeKeysThatExplainConfirms() {
    try (Tab tab = Studio.get().tab().allow("status of 400")) {
      tab.open("");
      tab.see("h1").isVisible();
      tab.keys("g", "m");
      tab.see("h1").hasText("Models");
      tab.button("intra-partition-index").click();
      tab.find("lz-dialog input").fill("Staff design");
      tab.button("Create").click();
      tab.see("h1").containsText("Model: Staff design");
      tab.see("dl.kv >> nth=0").isVisible();
      tab.see("#main").containsText("empid_{empid, 6 digits}");
      tab.see("#main").containsText("Intra-partition secondary index pattern");
      tab.see("pre.code").containsText("AsyncIndexedTable");

      tab.button("Create tables, load samples, try").click();
      tab.see("#main").containsText("Tried on this server");
      tab.see("td:has-text('as promised')").hasCount(4);
      tab.see("td:has-text('differs')").hasCount(0);

      // A wrong sentence is said, and the proposal stays.
      tab.find("textarea").fill("fetch Employee");
      tab.see("[role=alert]").containsText("Access 1: a sentence begins with");
      tab.find("textarea").fill("read Employee by email 10/s\nlist Employee by lastName 5/s");
      tab.see("[role=alert]").hasText("");
      tab.see("#main").containsText("copy by email");
      tab.find(".acts button.primary").click();
      tab.see(".toast").containsText("was stored");
      tab.page().reload();
      tab.see("#main").containsText("copy by email");
      assertThat(tab.find("textarea").inputValue()).contains("read Employee by email");
      tab.find(".acts button:has-text(\"Delete\")").click();
      tab.find("lz-dialog button.danger").click();
      tab.see("h1").hasText("Models");
    }
  }
}
