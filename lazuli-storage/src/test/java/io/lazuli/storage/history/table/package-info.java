/** Clients of a table service, what they record, and the check of it. */
package io.lazuli.storage.history.table;
