from tests.service.test_real_tables import *
from tests.service.commands import send
from tests.service.test_incomplete_lines import *
def test_sb(served):
    number, placed = record_up_to(served, "sb", "skillbook", 0, "place_card")
    for i,line in enumerate(["place_card ?", "place_card", "p1: place_card ? to_hand"],1):
        for kind in ("line","play"):
            a = served.post("/api/v1/matches/sb/entries:try", {"kind": kind, "text": line, "by":"p1"} if kind=="play" else {"kind":kind,"text":line}, "scorekeeper")
            print(line, kind, a.status_code, a.text[:400])
    a = send(served, "sb", {"kind":"line","text":"place_card ?"}, id=1); print("RECORD", a.status_code, a.text[:600])
def test_gr(served):
    one, number, entry, action = next(played_with("grimoire", "od_explosion", "mode"))
    served.context.store.append(MATCH, 0, one.entries[:number])
    full=write(one, number, entry, action); print(full)
    for line in [f"{entry.actor}: od_explosion", f"{entry.actor}: od_explosion {full.split()[2]}", f"{entry.actor}: od_explosion mode=bookmark", f"{entry.actor}: od_explosion {full.split()[2]} bookmark"]:
        a = served.post(f"/api/v1/matches/{MATCH}/entries:try", {"kind": "line", "text": line}, "scorekeeper")
        print(line, a.status_code, a.text[:700])
    a = send(served, MATCH, {"kind":"line","text":f"{entry.actor}: od_explosion"}, id=1); print("RECORD", a.status_code, a.text[:600])
    print(RecorderPage(served, MATCH).fields, [l for l in RecorderPage(served, MATCH).lines if 'od_' in l])
