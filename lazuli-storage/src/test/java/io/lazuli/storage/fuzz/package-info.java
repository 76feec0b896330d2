/** Random input for tests: a seed that can be given again, and values with their edge cases. */
package io.lazuli.storage.fuzz;
