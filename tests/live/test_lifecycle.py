"""Diagnostics, restarts and kills."""

import json
import re

from tests.fake_openai import FakeOpenAI, Reply

from .chatterbox import (
    SUBENTRY_FLOW,
    Agent,
    fill,
    process,
    reconfigure,
    set_options,
    speech_of,
)
from .home import Home


async def test_diagnostics_have_the_turn_without_its_text(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    """They can be downloaded, and have the turn without its text."""
    model.script(Reply("It is a secret."))
    await process(home, agent, "what is in the box?")
    found = (await home.get(f"api/diagnostics/config_entry/{agent.entry_id}"))["data"]
    assert found["server"]["base_url"] == model.url
    assert found["turns"][-1]["outcome"] == "final"
    assert not {"box", "secret"} & set(re.findall(r"\w+", json.dumps(found)))


async def test_agent_answers_after_a_restart_and_after_a_kill(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    """After a restart and after a kill, the agent answers as before."""
    await home.restart()
    model.script(Reply("Here I am."))
    assert speech_of(await process(home, agent, "are you there?")) == "Here I am."
    await home.kill()
    await home.start()
    model.script(Reply("Still here."))
    assert speech_of(await process(home, agent, "are you there?")) == "Still here."


async def test_corrected_options_are_loaded_without_a_reload_by_hand(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    """A server whose setup failed because of stored options is set up when they are corrected."""
    await home.stop()
    path = home.folder / ".storage" / "core.config_entries"
    stored = json.loads(path.read_text())
    (entry,) = [each for each in stored["data"]["entries"] if each["entry_id"] == agent.entry_id]
    entry["options"]["first_token_timeout"] = "soon"
    entry["subentries"][0]["data"]["max_tokens"] = "many"
    path.write_text(json.dumps(stored))
    await home.start()

    form = await reconfigure(home, agent.entry_id, "init")
    flow = f"{SUBENTRY_FLOW}/{form['flow_id']}"
    done = await home.post(flow, fill(form["data_schema"], {}))
    assert done["reason"] == "reconfigure_successful"
    # Returns when the server is loaded.
    await set_options(home, agent.entry_id)
    model.script(Reply("Here I am."))
    assert speech_of(await process(home, agent, "are you there?")) == "Here I am."
    complaints = [each for each in await home.new_records() if each.complains_about_chatterbox]
    assert complaints
    assert all("has stored options that cannot be used" in each.text for each in complaints)
